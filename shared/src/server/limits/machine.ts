/** Resources of the machine, and default limits derived from them. */
import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { getHeapStatistics } from 'node:v8'
import { freeBytes } from '../storage/disk-room.ts'
import { type CommonConfig, MOST, type TopicConfig } from './rows.ts'
import { type ShareLimits, shareOf } from './shares.ts'

/** In bytes: `memory` of the machine or container, V8's `heap` limit, and `disk` space available to the data directory. */
export type Machine = { memory: number; heap: number; disk: number }

const MIB = 1024 * 1024

/** Heap of an idle server in bytes. */
const OWN_HEAP = 96 * MIB
const LEAST_HEAP = 64 * MIB

/** Fractions of the memory for data outside the heap. The rest stays free for the kernel and V8's garbage. */
const UNSENT_PART = 1 / 8
const CONNECTIONS_PART = 1 / 8
/** Fractions of the heap. */
const SUBSCRIPTIONS_PART = 0.3
const MESSAGES_PART = 0.25
const WEBHOOKS_PART = 0.05
const CALLS_PART = 0.05

/** Bytes per item, measured and rounded up. */
const CONNECTION_BYTES = 10_000
const SUBSCRIPTION_BYTES = 600
const MESSAGE_BYTES = 400
const WEBHOOK_BYTES = 1000
const CALL_BYTES = 1500

/**
 * Size assumed for a disk of unknown size, as a fraction of memory. Such a disk is usually tmpfs, whose default size is
 * half of the memory.
 */
const UNKNOWN_DISK_PART = 1 / 2
/** Fraction of the disk for messages. The rest is room for the log to grow until compaction shrinks it. */
const DISK_PART = 0.5

const bytesBelow = (folder: string): number =>
  readdirSync(folder, { withFileTypes: true })
    .filter(entry => entry.isFile())
    .reduce((sum, { name }) => sum + statSync(join(folder, name)).size, 0)

/** Measures this machine. Creates the data directory if needed, to measure its disk. */
export const readMachine = (dataDir: string): Machine => {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const limit = process.constrainedMemory()
  const memory = limit > 0 ? Math.min(limit, totalmem()) : totalmem()
  const free = freeBytes(dataDir) ?? memory * UNKNOWN_DISK_PART
  return { memory, heap: getHeapStatistics().heap_size_limit, disk: free + bytesBelow(dataDir) }
}

/** The largest limits that fit the machine. */
export const boundsOf = ({ memory, heap, disk }: Machine) => {
  const kept = Math.max(Math.min(heap, memory / 2) - OWN_HEAP, LEAST_HEAP)
  const fit = (bytes: number, each: number): number => Math.floor(bytes / each)
  return {
    connections: fit(memory * CONNECTIONS_PART, CONNECTION_BYTES),
    subscriptions: fit(kept * SUBSCRIPTIONS_PART, SUBSCRIPTION_BYTES),
    messages: fit(kept * MESSAGES_PART, MESSAGE_BYTES),
    storeBytes: Math.floor(disk * DISK_PART),
    unsentTotal: Math.floor(memory * UNSENT_PART),
    webhookTopics: fit(kept * WEBHOOKS_PART, WEBHOOK_BYTES),
    webhookBytes: Math.floor(kept * WEBHOOKS_PART),
    webhookCalls: fit(kept * CALLS_PART, CALL_BYTES),
  }
}

/**
 * Returns the operator's setting or, if it is unset, the limit that the machine allows, at least 1 and at most `most`.
 */
export const fitted = (setting: number | undefined, allowed: number, most: number): number =>
  setting ?? Math.max(Math.min(allowed, most), 1)

export type ResourceBounds = ShareLimits

const shareLimitsOf = (bounds: ResourceBounds, config: CommonConfig): ShareLimits => {
  const share = (bound: number, floor: number): number => shareOf(bound, config.sharePercent, floor)
  return {
    connections: share(bounds.connections, config.shareConnections),
    subscriptions: share(bounds.subscriptions, config.shareSubscriptions),
    messages: share(bounds.messages, config.shareMessages),
    bytes: share(bounds.bytes, config.shareBytes),
    unsent: share(bounds.unsent, config.shareUnsentBytes),
    webhooks: share(bounds.webhooks, config.shareWebhooks),
    calls: share(bounds.calls, config.shareCalls),
    watches: share(bounds.watches, config.shareWatches),
  }
}

/** Settings that `fitCommon` reads. */
export type FittableConfig = CommonConfig & TopicConfig & { storeBytes: number | undefined; topicBytes: number }

/**
 * Settings with different names in relay and bridge: stored messages overall and per topic, and watches. `most` bounds
 * the derived limits.
 */
export type OwnBounds = {
  storeMessages: number | undefined
  topicMessages: number
  watches: number
  most: { messages: number; bytes: number }
}

/** Computes all limits for the machine, and the share of each that one holder may use. */
export const fitCommon = <C extends FittableConfig>(config: C, machine: Machine, own: OwnBounds) => {
  const allowed = boundsOf(machine)
  const fits = {
    connections: fitted(config.connections, allowed.connections, MOST.connections),
    unsentTotal: fitted(config.unsentTotal, allowed.unsentTotal, MOST.unsentTotal),
    webhookTopics: fitted(config.webhookTopics, allowed.webhookTopics, MOST.webhookTopics),
    webhookBytes: fitted(config.webhookBytes, allowed.webhookBytes, MOST.webhookBytes),
    webhookCalls: fitted(config.webhookCalls, allowed.webhookCalls, MOST.webhookCalls),
    subscriptions: fitted(config.subscriptions, allowed.subscriptions, MOST.subscriptions),
    storeBytes: fitted(config.storeBytes, allowed.storeBytes, own.most.bytes),
  }
  const messages = fitted(own.storeMessages, allowed.messages, own.most.messages)
  const bounds = {
    connections: fits.connections,
    subscriptions: fits.subscriptions,
    messages,
    bytes: fits.storeBytes,
    unsent: fits.unsentTotal,
    webhooks: fits.webhookTopics,
    calls: fits.webhookCalls,
    watches: own.watches,
  }
  const shares = shareLimitsOf(bounds, config)
  const ofOne = {
    topicBytes: Math.min(config.topicBytes, shares.bytes),
    topicClients: Math.min(config.topicClients, shares.subscriptions),
    clientTopics: Math.min(config.clientTopics, shares.subscriptions),
  }
  return {
    limits: { ...config, ...fits, ...ofOne },
    storeMessages: messages,
    topicMessages: Math.min(own.topicMessages, shares.messages),
    bounds,
    shares,
  }
}

/** Common settings with all limits resolved. */
export type FittedCommon = ReturnType<typeof fitCommon<FittableConfig>>['limits']
