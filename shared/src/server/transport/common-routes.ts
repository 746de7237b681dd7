/** Routes that every service has. */

import type { Metrics } from '../metrics/metrics.ts'
import { refuseStranger } from './bearer.ts'
import { json, type Reply, type Routes, text } from './http.ts'
import type { Service } from './service.ts'

export type CommonRoutes = {
  service: Service
  metrics: Metrics
  /** Token required for the metrics. Without one they are public. */
  statusToken: string | undefined
  /** Reason why the service does not work, or undefined. */
  failure: () => string | undefined
  /** Reasons why the service works only partly. */
  degraded: () => readonly string[]
}

const UNAVAILABLE = 503

export const commonRoutes = ({ service, metrics, statusToken, failure, degraded }: CommonRoutes): Routes => {
  /** `status` is the value of a healthy service. */
  const health = (status: string): Reply => {
    const reason = failure()
    if (reason !== undefined) return json({ status: 'failing', reason }, UNAVAILABLE)
    const reasons = degraded()
    return json(reasons.length > 0 ? { status: 'degraded', reasons } : { status })
  }
  return {
    '/hello': { GET: () => text(`Hello World, this is ${service.name} v${service.version}`) },
    '/health': { GET: () => health('ok') },
    '/ready': { GET: () => health('ready') },
    '/metrics': {
      GET: async request => {
        refuseStranger(request, statusToken)
        return { status: 200, headers: { 'Content-Type': metrics.contentType }, body: await metrics.text() }
      },
    },
  }
}
