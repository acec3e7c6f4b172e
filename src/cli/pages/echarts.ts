// The parts of ECharts that pages draw with. The build makes this a separate file (src/build/bundle.js), which no
// other command reads.
import { BarChart, SankeyChart } from 'echarts/charts'
import { GridComponent } from 'echarts/components'
import { init, use, type EChartsCoreOption } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'

use([BarChart, SankeyChart, GridComponent, SVGRenderer])

/** Draws an ECharts option as SVG text of a size in pixels. ECharts escapes the text in it. */
export function drawn(option: EChartsCoreOption, width: number, height: number): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height })
  try {
    chart.setOption({ ...option, animation: false })
    return chart.renderToSVGString()
  } finally {
    // Without this the chart keeps the process alive.
    chart.dispose()
  }
}
