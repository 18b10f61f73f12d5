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

const WHISKER_END = 4;

function whisker(points, colour) {
  const line = (from, to) => ({
    type: "line",
    shape: { x1: from[0], y1: from[1], x2: to[0], y2: to[1] },
    style: { stroke: colour, lineWidth: 1.5 },
  });
  const [low, high] = points;
  const [dx, dy] = low[0] === high[0] ? [WHISKER_END, 0] : [0, WHISKER_END];
  const end = ([x, y]) => line([x - dx, y - dy], [x + dx, y + dy]);
  return low[0] === high[0] && low[1] === high[1] ? [] : [line(low, high), end(low), end(high)];
}

// What JSON cannot hold: functions that draw. A series of type "custom" names one of them.
const renderers = {
  // Of [value, group, low, high]: a line over the bar of the same series, and the number behind it.
  barWhisker: (series) => (params, api) => {
    const bars = api.barLayout({
      count: series.barCount,
      barGap: series.barGap,
      barCategoryGap: series.barCategoryGap,
    });
    const at = (dimension) => {
      const [x, y] = api.coord([api.value(dimension), api.value(1)]);
      return [x, y + bars[series.barIndex].offsetCenter];
    };
    const end = at(api.value(3) > api.value(0) ? 3 : 0);
    const number = {
      type: "text",
      x: end[0] + 7,
      y: end[1],
      style: {
        text: api.value(0).toFixed(2),
        fill: "#333",
        backgroundColor: "rgba(255, 255, 255, 0.85)",
        verticalAlign: "middle",
        fontSize: 11,
      },
    };
    return { type: "group", children: [...whisker([at(2), at(3)], "#333"), number] };
  },

  // Of [x, y, low, high]: a line through the point.
  pointWhisker: (series) => (params, api) => {
    const at = (dimension) => api.coord([api.value(0), api.value(dimension)]);
    return { type: "group", children: whisker([at(2), at(3)], series.itemStyle.color) };
  },
};

function withUnit(bytes) {
  const units = ["B", "KiB", "MiB", "GiB"];
  let unit = 0;
  let number = bytes;
  for (; number >= 1024 && unit < units.length - 1; unit++) {
    number /= 1024;
  }
  return `${Number(number.toFixed(2))} ${units[unit]}`;
}

const MOST_LABELS = 8;

// The library's own steps on a logarithmic axis are 1, 10, 100 ... powers of two. So the axis
// becomes one of exponents, and its labels tell the bytes.
function useExponents(option) {
  for (const series of option.series) {
    series.data = series.data.map(([x, ...others]) => [Math.log2(x), ...others]);
  }
  const exponents = option.series.flatMap((series) => series.data.map((point) => point[0]));
  const min = Math.floor(Math.min(...exponents));
  const max = Math.ceil(Math.max(...exponents));
  const interval = Math.max(1, Math.ceil((max - min) / MOST_LABELS));
  const axisLabel = { formatter: (exponent) => withUnit(2 ** exponent), hideOverlap: true };
  Object.assign(option.xAxis, { type: "value", min, max, interval, axisLabel });
}

function rounded(number) {
  return Number(number.toPrecision(4)).toLocaleString("en");
}

// Of bars and points, which know their spread.
function tooltipOfItems(option) {
  return (item) => {
    const box = document.createElement("div");
    const [value, other, low, high] = item.value;
    if (item.seriesType === "bar") {
      box.append(`${item.seriesName}, ${option.yAxis.data[other]}: `);
      box.append(`${rounded(value)} (${rounded(low)} to ${rounded(high)})`);
    } else {
      const x = option.xAxis.logBase === 2 ? withUnit(Math.round(2 ** value)) : rounded(value);
      box.append(`${item.seriesName}, ${option.xAxis.name} ${x}: `);
      box.append(`${rounded(other)} (${rounded(low)} to ${rounded(high)}) ${option.yAxis.name}`);
    }
    return box;
  };
}

for (const element of document.querySelectorAll(".chart")) {
  const option = JSON.parse(element.parentElement.querySelector("script").textContent);
  if (option.tooltip && option.series.every((series) => series.type === "line")) {
    option.tooltip.formatter = tooltipOfLines(option);
  } else if (option.tooltip && option.series.some((series) => renderers[series.renderItem])) {
    option.tooltip.formatter = tooltipOfItems(option);
  }
  for (const series of option.series.filter((series) => renderers[series.renderItem])) {
    series.renderItem = renderers[series.renderItem](series);
  }
  if (option.xAxis?.logBase === 2) {
    useExponents(option);
  }
  const chart = echarts.init(element, null, { renderer: "svg" });
  chart.setOption(option);
  new ResizeObserver(() => chart.resize()).observe(element);
}
