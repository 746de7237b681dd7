/**
 * The shared script of both status pages, inlined when they are served. It formats values, loads the figures, asks for the
 * token, and shows whether the figures are current. Each page has its own script, which calls `follow`.
 */

// biome-ignore-all lint/correctness/noUnusedVariables: the scripts of the pages use them.

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Milliseconds from a response to the next request, and after one, two, … failures. */
const REFRESH = 2 * SECOND
const RETRIES = [2 * SECOND, 4 * SECOND, 8 * SECOND, 15 * SECOND]
/** Timeout of a request in milliseconds. */
const TIMEOUT = 10 * SECOND

const byId = id => document.getElementById(id)

/**
 * Sets an element's text. Leaves an unchanged text alone, so that updates do not disturb a user who selects or reads
 * it.
 */
const put = (id, text) => {
  if (byId(id).textContent !== text) byId(id).textContent = text
}

const whole = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 })
const tenths = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 })
const compact = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 })
/** Smallest number that is written in millions or billions. */
const HUGE = 100000000

const count = number => (number < HUGE ? whole : compact).format(number)
const plural = (number, one, many) => `${count(number)} ${number === 1 ? one : many}`

const bytes = number => {
  const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB']
  const power = Math.min(Math.floor(Math.log(Math.max(number, 1)) / Math.log(1024)), units.length - 1)
  const value = number / 1024 ** power
  return `${(value < 100 && power > 1 ? tenths : whole).format(value)} ${units[power]}`
}

/** A duration in one unit, or in days and hours: 46 s, 12 min, 3 h, 18 d 9 h. */
const span = ms => {
  const time = Math.max(ms, 0)
  if (time < MINUTE) return `${Math.floor(time / SECOND)} s`
  if (time < HOUR) return `${Math.floor(time / MINUTE)} min`
  const hours = Math.floor(time / HOUR)
  if (hours < 24) return `${hours} h`
  const rest = hours % 24
  return `${count(Math.floor(hours / 24))} d${rest > 0 ? ` ${rest} h` : ''}`
}

const inUtc = options => new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options })
const date = inUtc({ day: 'numeric', month: 'short', year: 'numeric' })
const clock = inUtc({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const seconds = inUtc({ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' })

/** Number of slots of every Redis Cluster. */
const SLOTS = 16384
/** Values at which a warning is shown: seconds since a replica's last answer, and the used share of the memory. */
const SILENT = 10
const FULL = 0.8
const percentOf = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 })

/** SVG paths of the sign beside the state, on a grid of 16 units. */
const SIGNS = {
  ok: 'M8 1.75a6.25 6.25 0 1 1 0 12.5a6.25 6.25 0 0 1 0-12.5zM5.4 8.2 7.2 10l3.5-3.9',
  failing:
    'M5.4 1.75h5.2l3.65 3.65v5.2l-3.65 3.65H5.4L1.75 10.6V5.4zM8 4.75v4M8 10.825a.275.275 0 1 1 0 .55a.275.275 0 0 1 0-.55z',
  lost: 'M3 10.25a1.5 1.5 0 1 1 0 3a1.5 1.5 0 0 1 0-3zM13 10.25a1.5 1.5 0 1 1 0 3a1.5 1.5 0 0 1 0-3zM3.85 10.45l1.25-1.9M10.9 8.55l1.25 1.9M6 2.25l4 4M10 2.25l-4 4',
}

/** `sign` is a name in `SIGNS`. */
const setState = (sign, text) => {
  byId('sign').classList.toggle('bad', sign !== 'ok')
  byId('sign').firstElementChild.setAttribute('d', SIGNS[sign])
  put('state', text)
}

const uptime = ({ at, startedAt }) =>
  `Up ${span(at - startedAt)}, since ${date.format(startedAt)}, ${clock.format(startedAt)} UTC.`

/** Returns sentences about damage in the store, and about shares that are used up. */
const problems = ({ damage, usedUp }) =>
  [
    damage === undefined ? '' : ` ${damage.bytes} bytes of the store could not be read: see the log.`,
    usedUp.length === 0 ? '' : ` Some clients are refused because they used up their share: ${usedUp.join(', ')}.`,
  ].join('')

const UNKNOWN = '–'

/** Shows a figure of Redis with a line below it. */
const putRedis = (name, value, line, isBad = false) => {
  put(`redis-${name}`, value)
  put(`redis-${name}-more`, line)
  byId(`redis-${name}-more`).classList.toggle('warn', isBad)
}

const showSlots = ({ isUsable, primaries, slots }) => {
  if (!isUsable) return putRedis('primaries', count(primaries), 'Redis cannot be used', true)
  if (!slots) return putRedis('primaries', count(primaries), 'In use')
  const isWhole = slots.ok === SLOTS
  const failing = slots.failing > 0 ? `, ${count(slots.failing)} failing` : ''
  putRedis('primaries', count(primaries), `${count(slots.ok)} of ${count(SLOTS)} slots served${failing}`, !isWhole)
}

const showReplicas = ({ replication }) => {
  if (!replication) return putRedis('replicas', UNKNOWN, 'Unknown')
  const { replicas, lagBytes, silentSeconds } = replication
  if (replicas === 0) return putRedis('replicas', '0', 'There is no copy of the data')
  const silence = silentSeconds === undefined ? '' : `, answered ${span(silentSeconds * SECOND)} ago`
  putRedis('replicas', count(replicas), `${bytes(lagBytes)} behind${silence}`, silentSeconds >= SILENT)
}

const showRedisMemory = ({ memory, fullest }) => {
  if (!memory) return putRedis('memory', UNKNOWN, 'Unknown')
  const share = fullest === undefined ? '' : `, fullest primary ${percentOf.format(fullest)}`
  const limit = memory.limitBytes === undefined ? 'No limit' : `Of ${bytes(memory.limitBytes)}`
  putRedis('memory', bytes(memory.usedBytes), `${limit}${share}`, fullest >= FULL)
}

/** Shows Redis and the servers that share it, if Redis is the store. */
const showRedis = ({ redis }) => {
  byId('redis').hidden = redis === undefined
  if (!redis) return
  putRedis('servers', count(redis.servers), 'Clients can use any of them')
  showSlots(redis)
  showReplicas(redis)
  showRedisMemory(redis)
}

/** Loads the figures of `server` ("relay" or "bridge") until the page is closed, and passes them to `show`. */
const follow = (server, show) => {
  const TOKEN = `heliograph-${server}-status-token`
  /** The last status, and the local time at which it arrived. */
  let status
  let heardAt = 0
  /** Number of failed requests since the last status, and the local time of the next request. */
  let failures = 0
  let nextAt = 0
  let timer

  const showAge = () => {
    if (failures > 0) {
      const wait = Math.max(Math.ceil((nextAt - Date.now()) / SECOND), 0)
      const again = wait > 0 ? `Trying again in ${wait} s.` : 'Trying again.'
      const figures = status
        ? `Figures below are from ${seconds.format(status.at)} UTC and may be outdated.`
        : 'There are no figures yet.'
      put('detail', `${figures} ${again}`)
      put('since', status ? `, last update ${seconds.format(status.at)}, ${span(Date.now() - heardAt)} ago` : '')
    } else if (status) put('since', `, updated ${span(Date.now() - heardAt)} ago`)
  }

  const showLiveness = () => {
    const isLive = failures === 0
    byId('live').hidden = false
    byId('live').classList.toggle('bad', !isLive)
    put('liveness', isLive ? 'Live' : 'Not live')
    byId('main').classList.toggle('old', !isLive)
    showAge()
  }

  const showStatus = () => {
    byId('ask').hidden = true
    byId('head').hidden = false
    byId('figures').hidden = false
    put('version', `Heliograph ${server} ${status.version}`)
    show(status)
    showLiveness()
  }

  const showLost = () => {
    byId('ask').hidden = true
    byId('head').hidden = false
    setState('lost', 'Connection to this page lost')
    showLiveness()
  }

  /** Removes the figures and asks for the token. */
  const showAsk = wasWrong => {
    clearTimeout(timer)
    status = undefined
    for (const id of ['head', 'figures', 'live']) byId(id).hidden = true
    byId('ask').hidden = false
    put('wrong', wasWrong ? 'That token is wrong.' : '')
    byId('token').setAttribute('aria-invalid', String(wasWrong))
    byId('token').focus()
  }

  const load = async () => {
    const token = sessionStorage.getItem(TOKEN)
    const response = await fetch('status.json', {
      cache: 'no-store',
      headers: token === null ? {} : { Authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(TIMEOUT),
    })
    // A link cannot send a token, so the links to data are hidden if a token is needed.
    for (const link of document.querySelectorAll('.data')) link.hidden = token !== null || response.status === 401
    if (response.status === 401) return { isRefused: true, hadToken: token !== null }
    if (!response.ok) throw new Error(`The ${server} answered ${response.status}.`)
    return { status: await response.json() }
  }

  const refresh = async () => {
    try {
      const { status: news, isRefused, hadToken } = await load()
      failures = 0
      if (isRefused) {
        sessionStorage.removeItem(TOKEN)
        showAsk(hadToken)
        return
      }
      status = news
      heardAt = Date.now()
      plan(REFRESH)
      showStatus()
    } catch {
      failures += 1
      plan(RETRIES[Math.min(failures, RETRIES.length) - 1])
      showLost()
    }
  }

  const plan = wait => {
    clearTimeout(timer)
    nextAt = Date.now() + wait
    if (!document.hidden) timer = setTimeout(refresh, wait)
  }

  byId('ask').addEventListener('submit', event => {
    event.preventDefault()
    sessionStorage.setItem(TOKEN, byId('token').value.trim())
    byId('token').value = ''
    refresh()
  })
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) clearTimeout(timer)
    else if (byId('ask').hidden) refresh()
  })
  setInterval(showAge, SECOND)

  put('host', location.host)
  document.title = `${document.title} · ${location.host}`
  refresh()
}
