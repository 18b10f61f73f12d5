"use strict";

// Lines have points at different places, and the library's own tooltip names only those lines
// that have one at the very place of the pointer. This one takes the last point up to there.
function tooltipOfLines(option) {
  return (hovered) => {
    const x = hovered[0].axisValue;
    const box = document.createElement("div");
    box.append(`${x} ${option.xAxis.name}`);
    for (const line of option.series.filter((series) => series.name)) {
      const point = line.data.findLast((candidate) => candidate[0] <= x);
      if (point) {
        const row = document.createElement("div");
        const mark = document.createElement("span");
        mark.className = "mark";
        mark.style.background = line.itemStyle.color;
        row.append(mark, `${line.name}: ${point[1]} ${option.yAxis.name}`);
        box.append(row);
      }
    }
    return box;
  };
}

for (const element of document.querySelectorAll(".chart")) {
  const option = JSON.parse(element.parentElement.querySelector("script").textContent);
  if (option.tooltip && option.series.every((series) => series.type === "line")) {
    option.tooltip.formatter = tooltipOfLines(option);
  }
  const chart = echarts.init(element, null, { renderer: "svg" });
  chart.setOption(option);
  new ResizeObserver(() => chart.resize()).observe(element);
}
