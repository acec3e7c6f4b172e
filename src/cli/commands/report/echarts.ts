// The parts of ECharts that a report draws with, as a file of their own beside the command (src/build/bundle.js): no other
// command reads them.
import { BarChart, SankeyChart } from 'echarts/charts'
import { GridComponent } from 'echarts/components'
import { init, use, type EChartsCoreOption } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'

use([BarChart, SankeyChart, GridComponent, SVGRenderer])

/** An option of ECharts as SVG text of a size in pixels. Text in it is escaped by ECharts. */
export function drawn(option: EChartsCoreOption, width: number, height: number): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height })
  try {
    chart.setOption({ ...option, animation: false })
    return chart.renderToSVGString()
  } finally {
    // It would keep the process alive.
    chart.dispose()
  }
}
