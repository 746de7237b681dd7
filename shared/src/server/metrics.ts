/** Prometheus metrics: https://prometheus.io/docs/instrumenting/exposition_formats/ */
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'

const PREFIX = 'heliograph_'

export type { Counter }

/** The metrics of one server, those of its process included. */
export type Metrics = {
  /** A count that only grows; `labels` name what it is split by. */
  counter: (name: string, help: string, ...labels: string[]) => Counter
  /** A value read when the metrics are. */
  gauge: (name: string, help: string, read: () => number) => void
  /** All of them in the exposition format. */
  text: () => Promise<string>
  contentType: string
}

export const createMetrics = (): Metrics => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  return {
    counter: (name, help, ...labelNames) => new Counter({ name: PREFIX + name, help, labelNames, registers }),
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
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}
