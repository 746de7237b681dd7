/**
 * Prometheus metrics: https://prometheus.io/docs/instrumenting/exposition_formats/
 *
 * Counters for every message are plain numbers, formatted only when the metrics are scraped.
 */
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { createHistogram, type Histogram } from './histogram.ts'

const PREFIX = 'heliograph_'
/** Decimal places of a sum. Further digits are rounding errors. */
const SUM_DIGITS = 9

export type { Counter }

/** A monotonic counter that costs no more than an addition. */
export type Count = { value: number; inc: (by?: number) => void }

type CounterOf = {
  (name: string, help: string): Count
  (name: string, help: string, ...labels: [string, ...string[]]): Counter
}

/** The metrics of one server and its process. */
export type Metrics = {
  /** Registers a counter, or one per value of `labels`, which costs more per increment. */
  counter: CounterOf
  /** Registers a histogram with these upper bounds, ascending. */
  histogram: (name: string, help: string, bounds: readonly number[]) => Histogram
  /** Registers a gauge that is read when the metrics are scraped. */
  gauge: (name: string, help: string, read: () => number) => void
  /** All metrics in the exposition format. */
  text: () => Promise<string>
  contentType: string
}

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

  function counter(name: string, help: string): Count
  function counter(name: string, help: string, ...labels: [string, ...string[]]): Counter
  function counter(name: string, help: string, ...labelNames: string[]): Count | Counter {
    if (labelNames.length > 0) return new Counter({ name: PREFIX + name, help, labelNames, registers })
    const count: Count = {
      value: 0,
      inc: (by = 1) => {
        count.value += by
      },
    }
    new Counter({
      name: PREFIX + name,
      help,
      registers,
      collect() {
        this.reset()
        this.inc(count.value)
      },
    })
    return count
  }

  return {
    counter,
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
          this.set(read())
        },
      })
    },
    text: async () => [await registry.metrics(), ...histograms.map(lines => lines())].join('\n'),
    contentType: registry.contentType,
  }
}
