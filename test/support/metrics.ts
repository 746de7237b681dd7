/** Parses a server's Prometheus metrics. */

/** All rows of `/metrics`, by name and labels as they are written there. */
export const metricsOf = async (url: string): Promise<Record<string, number>> => {
  const text = await (await fetch(`${url}/metrics`)).text()
  const rows = text.split('\n').filter(row => row !== '' && !row.startsWith('#'))
  return Object.fromEntries(rows.map(row => [row.slice(0, row.lastIndexOf(' ')), Number(row.split(' ').at(-1))]))
}

/** The row of that name; NaN where there is none. */
export const metricOf = async (url: string, name: string): Promise<number> => (await metricsOf(url))[name] ?? Number.NaN

/** The row that a counter has of a label; 0 where nothing was counted of it. */
export const countOf = async (url: string, name: string, label: string): Promise<number> =>
  (await metricsOf(url))[`${name}{${label}}`] ?? 0
