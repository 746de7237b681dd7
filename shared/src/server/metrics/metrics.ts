/** Prometheus metrics: https://prometheus.io/docs/instrumenting/exposition_formats/ */
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { createHistogram, type Histogram } from './histogram.ts'

const PREFIX = 'heliograph_'
/** Decimal places of a sum. Further digits are rounding errors. */
const SUM_DIGITS = 9

export type { Counter }

/** The metrics of one server and its process. */
export type Metrics = {
  /** Registers a counter; with `labels`, one per combination of their values. */
  counter: (name: string, help: string, ...labels: string[]) => Counter
  /** Registers a histogram with these upper bounds, ascending. */
  histogram: (name: string, help: string, bounds: readonly number[]) => Histogram
  /** Registers a gauge that is read when the metrics are scraped. An unknown value has no sample. */
  gauge: (name: string, help: string, read: () => number | undefined) => void
  /** All metrics in the exposition format. */
  text: () => Promise<string>
  contentType: string
}

/** Returns the value of a counter without labels. */
export const readCounter = async (counter: Counter): Promise<number> => (await counter.get()).values[0]?.value ?? 0

/** Formats a histogram. Its buckets are cumulative. */
const linesOf = (name: string, help: string, { bounds, counts, sum }: Histogram): string => {
  let count = 0
  const buckets = [...bounds, '+Inf'].map((bound, index) => {
    count += counts[index] ?? 0
    return `${name}_bucket{le="${bound}"} ${count}`
  })
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} histogram`,
    ...buckets,
    `${name}_sum ${Number(sum.toFixed(SUM_DIGITS))}`,
    `${name}_count ${count}\n`,
  ].join('\n')
}

export const createMetrics = (): Metrics => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const histograms: (() => string)[] = []

  return {
    counter: (name, help, ...labelNames) => new Counter({ name: PREFIX + name, help, labelNames, registers }),
    histogram: (name, help, bounds) => {
      const histogram = createHistogram(bounds)
      histograms.push(() => linesOf(PREFIX + name, help, histogram))
      return histogram
    },
    gauge: (name, help, read) => {
      new Gauge({
        name: PREFIX + name,
        help,
        registers,
        collect() {
          const value = read()
          if (value === undefined) this.remove()
          else this.set(value)
        },
      })
    },
    text: async () => [await registry.metrics(), ...histograms.map(lines => lines())].join('\n'),
    contentType: registry.contentType,
  }
}
