/** Parses a server's Prometheus metrics. */

/** Returns all values of `/metrics`, by name with labels. */
export const metricsOf = async (url: string): Promise<Record<string, number>> => {
  const text = await (await fetch(`${url}/metrics`)).text()
  const rows = text.split('\n').filter(row => row !== '' && !row.startsWith('#'))
  return Object.fromEntries(rows.map(row => [row.slice(0, row.lastIndexOf(' ')), Number(row.split(' ').at(-1))]))
}

/** Returns the value with this name; NaN if there is none. */
export const metricOf = async (url: string, name: string): Promise<number> => (await metricsOf(url))[name] ?? Number.NaN

/** Returns a counter's value for a label; 0 if it is missing. */
export const countOf = async (url: string, name: string, label: string): Promise<number> =>
  (await metricsOf(url))[`${name}{${label}}`] ?? 0
