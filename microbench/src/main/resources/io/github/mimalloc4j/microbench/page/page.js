"use strict";

// Draws the charts of the page. Beside each .chart stands, as JSON, what Chart.java says of it:
// kind, x, y, groups, series, bands and mark. All looks are here and in page.css.

// Colours that colour-blind people can tell apart, by Okabe and Ito.
const LOOKS = {
  MIMALLOC: { color: "#0072b2" },
  ADAPTIVE: { color: "#d55e00" },
  POOLED: { color: "#009e73" },
  UNPOOLED: { color: "#cc79a7" },
  BARE: { color: "#777777", dashed: true },
  FLOOR: { color: "#888888", dashed: true },
  live: { color: "#c3c8d0", area: true },
};
const OTHER_COLOURS = ["#e69f00", "#56b4e9", "#8a6d00", "#7a3db8"];
const TEXT = "#333";
const BAND = "rgba(90, 110, 140, 0.14)"; // Light enough for text and lines of any colour.

// The same for a name in all charts.
function lookOf({ name }) {
  const hash = [...name].reduce((sum, letter) => (31 * sum + letter.codePointAt(0)) >>> 0, 0);
  return LOOKS[name] ?? { color: OTHER_COLOURS[hash % OTHER_COLOURS.length] };
}

function rounded(number) {
  return Number(number.toPrecision(4)).toLocaleString("en");
}

function withUnit(bytes) {
  const units = ["B", "KiB", "MiB", "GiB"];
  let unit = 0;
  let number = bytes;
  for (; number >= 1024 && unit < units.length - 1; unit++) {
    number /= 1024;
  }
  return `${Number(number.toFixed(2))} ${units[unit]}`;
}

// Axes

const MOST_LABELS = 8;

// The library's own steps on a logarithmic axis are 1, 10, 100 ... powers of two. So an axis of
// bytes is one of exponents, and its labels tell the bytes.
function exponents(chart) {
  const all = chart.series.flatMap((series) => series.points.map((point) => Math.log2(point[0])));
  const min = Math.floor(Math.min(...all));
  const max = Math.ceil(Math.max(...all));
  return {
    type: "value",
    min,
    max,
    interval: Math.max(1, Math.ceil((max - min) / MOST_LABELS)),
    axisLabel: { formatter: (exponent) => withUnit(2 ** exponent), hideOverlap: true },
  };
}

const SCALES = {
  LINEAR: () => ({ type: "value" }),
  WHOLE: () => ({ type: "value", minInterval: 1 }),
  LOGARITHMIC: () => ({ type: "log", logBase: 10 }),
  BYTES: exponents,
};

const placeOf = ({ x }, number) => (x.scale === "BYTES" ? Math.log2(number) : number);
const xLabel = ({ x }, number) => (x.scale === "BYTES" ? withUnit(number) : rounded(number));

function below(axis, chart) {
  return { ...SCALES[axis.scale](chart), name: axis.name, nameLocation: "middle", nameGap: 28 };
}

// With the name above its end; if it were centred there, a long one would be cut off on its left.
function atTheLeft(axis, chart) {
  return { ...SCALES[axis.scale](chart), name: axis.name, nameTextStyle: { align: "left" } };
}

// Series

const WHISKER_END = 4;

// A line from the lowest to the highest value, with its ends; nothing where they are the same.
function whisker([x1, y1], [x2, y2], stroke) {
  const line = (from, to) => ({
    type: "line",
    shape: { x1: from[0], y1: from[1], x2: to[0], y2: to[1] },
    style: { stroke, lineWidth: 1.5 },
  });
  const [dx, dy] = x1 === x2 ? [WHISKER_END, 0] : [0, WHISKER_END];
  const end = (x, y) => line([x - dx, y - dy], [x + dx, y + dy]);
  return x1 === x2 && y1 === y2 ? [] : [line([x1, y1], [x2, y2]), end(x1, y1), end(x2, y2)];
}

// What the others are compared to: across the bars, or at a height.
function mark(chart, key, label) {
  return chart.mark && {
    silent: true,
    symbol: "none",
    z: 3,
    lineStyle: { color: TEXT, type: "dashed" },
    label: { formatter: chart.mark.label, color: TEXT, ...label },
    data: [{ [key]: chart.mark.value }],
  };
}

// Of bars and points, which know their spread.
function spreadOf({ points }, chart, item) {
  const [x, value, low, high] = points[item.dataIndex];
  const where = chart.groups[x] ?? `${chart.x.name} ${xLabel(chart, x)}`;
  const unit = chart.kind === "BARS" ? "" : ` ${chart.y.name}`;
  const box = document.createElement("div");
  box.append(`${item.seriesName}, ${where}: `);
  box.append(`${rounded(value)} (${rounded(low)} to ${rounded(high)})${unit}`);
  return box;
}

const BAR_HEIGHT = 22;
const GROUP_SPACE = 16;
const ABOVE_BARS = 30; // The legend,
const MARK_HEIGHT = 20; // and a line for the mark's name.
const BELOW_BARS = 58;

// As high as the bars need.
function bars(chart) {
  const gaps = { barGap: "15%", barCategoryGap: "20%" };
  const top = ABOVE_BARS + (chart.mark ? MARK_HEIGHT : 0);
  const data = ({ points }) => points.map(([group, value, low, high]) => [value, group, low, high]);
  // A line over the bar of the same series, and the number behind it.
  const spread = (index) => (params, api) => {
    const bar = api.barLayout({ count: chart.series.length, ...gaps })[index];
    const at = (dimension) => {
      const [x, y] = api.coord([api.value(dimension), api.value(1)]);
      return [x, y + bar.offsetCenter];
    };
    const [x, y] = at(api.value(3) > api.value(0) ? 3 : 0);
    const style = {
      text: api.value(0).toFixed(2),
      fill: TEXT,
      backgroundColor: "rgba(255, 255, 255, 0.85)",
      verticalAlign: "middle",
      fontSize: 11,
    };
    const number = { type: "text", x: x + 7, y, style };
    return { type: "group", children: [...whisker(at(2), at(3), TEXT), number] };
  };
  return {
    height: top + BELOW_BARS + chart.groups.length * (chart.series.length * BAR_HEIGHT + GROUP_SPACE),
    // Not to be clicked: with one series hidden, the lines would not be on their bars.
    legend: { selectedMode: false },
    tooltip: { trigger: "item" },
    grid: { right: 56, top, bottom: 30 },
    xAxis: { ...below(chart.y, chart), axisLabel: { hideOverlap: true } },
    yAxis: {
      type: "category",
      inverse: true,
      data: chart.groups,
      axisTick: { show: false },
      axisLabel: { interval: 0, lineHeight: 14, width: 190, overflow: "break" },
    },
    series: chart.series.flatMap((series, index) => {
      const { color } = lookOf(series);
      const common = { name: series.name, itemStyle: { color }, data: data(series), ...gaps };
      return [
        {
          ...common,
          type: "bar",
          encode: { x: 0, y: 1 },
          tooltip: { formatter: (item) => spreadOf(series, chart, item) },
          // The axis is turned upside down, and the mark with it.
          markLine: index === 0 ? mark(chart, "xAxis", { position: "start" }) : undefined,
        },
        {
          ...common,
          type: "custom",
          renderItem: spread(index),
          silent: true,
          encode: { x: [0, 2, 3], y: 1 },
          z: 6, // Above the mark.
        },
      ];
    }),
  };
}

function points(chart) {
  const spread = (color) => (params, api) => {
    const at = (dimension) => api.coord([api.value(0), api.value(dimension)]);
    return { type: "group", children: whisker(at(2), at(3), color) };
  };
  return {
    tooltip: { trigger: "item" },
    grid: { right: 32, top: 62, bottom: 30 },
    xAxis: below(chart.x, chart),
    yAxis: atTheLeft(chart.y, chart),
    series: chart.series.flatMap((series, index) => {
      const { color, dashed } = lookOf(series);
      const data = series.points.map(([x, ...others]) => [placeOf(chart, x), ...others]);
      // Both with the same name, so that they are hidden together.
      const common = { name: series.name, itemStyle: { color }, data };
      return [
        {
          ...common,
          type: "line",
          symbol: "circle",
          symbolSize: 7,
          lineStyle: { width: 2, type: dashed ? "dashed" : "solid" },
          encode: { x: 0, y: 1 },
          tooltip: { formatter: (item) => spreadOf(series, chart, item) },
          markLine: index === 0 ? mark(chart, "yAxis", { position: "insideStartBottom" }) : undefined,
        },
        {
          ...common,
          type: "custom",
          renderItem: spread(color),
          silent: true,
          encode: { x: 0, y: [1, 2, 3] },
          z: 5,
        },
      ];
    }),
  };
}

// Lines have points at different places, and the library's own tooltip names only those lines
// that have one at the very place of the pointer. This one takes the last point up to there.
function valuesAt(chart, x) {
  const box = document.createElement("div");
  box.append(`${rounded(x)} ${chart.x.name}`);
  for (const series of chart.series) {
    const point = series.points.findLast((candidate) => candidate[0] <= x);
    if (point) {
      const row = document.createElement("div");
      const colour = document.createElement("span");
      colour.className = "mark";
      colour.style.background = lookOf(series).color;
      row.append(colour, `${series.name}: ${point[1]} ${chart.y.name}`);
      box.append(row);
    }
  }
  return box;
}

// A series without data: the bands stay whichever line the reader hides.
function background(bands) {
  const area = ({ label, from, to, shaded }) => [
    { name: label, xAxis: from, itemStyle: { color: shaded ? BAND : "rgba(0, 0, 0, 0)" } },
    { xAxis: to },
  ];
  const label = { position: "top", distance: 4, fontSize: 11, lineHeight: 14, color: TEXT };
  const markArea = { silent: true, label, data: bands.map(area) };
  return { type: "line", silent: true, data: [], markArea };
}

function lines(chart) {
  const hasBands = chart.bands.length > 0;
  const ends = hasBands
    ? {
        min: chart.bands[0].from,
        max: chart.bands.at(-1).to,
        axisLabel: { showMaxLabel: false }, // No round number, and maybe close to one.
      }
    : {};
  return {
    // The usual icon is drawn like the line, which an area has not.
    legend: { icon: "roundRect", itemHeight: 8, data: chart.series.map(({ name }) => name) },
    tooltip: { trigger: "axis", formatter: ([hovered]) => valuesAt(chart, hovered.axisValue) },
    grid: { right: 16, top: hasBands ? 80 : 52, bottom: 22 },
    // Bands say where one thing ends and the next begins; grid lines between would only confuse.
    xAxis: { ...below(chart.x, chart), ...ends, splitLine: { show: !hasBands } },
    yAxis: {
      ...atTheLeft(chart.y, chart),
      nameGap: hasBands ? 36 : 15, // Above two lines of a band's label.
    },
    series: [
      ...(hasBands ? [background(chart.bands)] : []),
      ...chart.series.map((series) => {
        const { color, dashed, area } = lookOf(series);
        return {
          type: "line",
          name: series.name,
          showSymbol: false,
          lineStyle: { width: area ? 0 : 2, type: dashed ? "dashed" : "solid" },
          itemStyle: { color },
          areaStyle: area ? { color, opacity: 1 } : undefined,
          data: series.points,
        };
      }),
    ],
  };
}

const KINDS = { BARS: bars, POINTS: points, LINES: lines };

for (const element of document.querySelectorAll(".chart")) {
  const chart = JSON.parse(element.parentElement.querySelector("script").textContent);
  const { height, legend, grid, ...option } = KINDS[chart.kind](chart);
  if (height) {
    element.style.height = `${height}px`;
  }
  const drawing = echarts.init(element, null, { renderer: "svg" });
  drawing.setOption({
    animation: false,
    legend: { type: "scroll", top: 0, ...legend },
    grid: { left: 8, containLabel: true, ...grid },
    ...option,
  });
  new ResizeObserver(() => drawing.resize()).observe(element);
}
