import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type CallerRules, callerOf, parseRange } from './addresses.ts'

const LOOPBACK = Uint8Array.of(127, 0, 0, 1).buffer
const nowhere: CallerRules = { proxies: [], exemptAddresses: [] }

/** True if a request over loopback with these headers was made on this machine. */
const isLocal = (headers: Record<string, string> = {}, rules = nowhere) =>
  callerOf(LOOPBACK, new Map(Object.entries({ host: '127.0.0.1:8080', ...headers })), rules).isLocal

const OTHER = '203.0.113.7'

test.each([
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-port',
  'x-forwarded-server',
  'x-forwarded-prefix',
  'x-forwarded-client-cert',
  'x-forwarded',
  'x-forwarder-for',
  'forwarded-for',
  'x-real-ip',
  'true-client-ip',
  'cf-connecting-ip',
  'cf-connecting-ipv6',
  'cf-ray',
  'cf-visitor',
  'cdn-loop',
  'x-client-ip',
  'x-clientip',
  'client-ip',
  'x-cluster-client-ip',
  'x-original-forwarded-for',
  'x-original-host',
  'x-original-uri',
  'x-original-url',
  'x-rewrite-url',
  'x-host',
  'x-http-host-override',
  'x-scheme',
  'x-envoy-external-address',
  'x-remote-ip',
  'x-remote-addr',
  'remote-addr',
  'x-source-ip',
  'x-user-ip',
  'fastly-client-ip',
  'fly-client-ip',
  'x-azure-clientip',
  'x-appengine-user-ip',
  'wl-proxy-client-ip',
  'proxy-client-ip',
  'x-proxyuser-ip',
  'x-nginx-proxy',
  'proxy-connection',
  'x-amzn-trace-id',
  'x-amz-cf-id',
  'x-arr-log-id',
  'x-varnish',
  'x-vercel-forwarded-for',
  'x-nf-client-connection-ip',
  'tailscale-user-login',
  'ali-cdn-real-ip',
  'x-sucuri-clientip',
  'x-bluecoat-via',
  'x-cloud-trace-context',
  'x-ssl-client-verify',
  'client-cert',
  'client-cert-chain',
  'x-https',
  'early-data',
  'max-forwards',
  'surrogate-capability',
  'x-real-port',
  'x-client-port',
  'x-real-client',
  'remote-user',
  'x-remote-user',
  'x-auth-request-user',
  'x-fd-healthprobe',
  'x-imforwards',
  'x_forwarded_for',
  'x_real_ip',
  'http_client_ip',
])('the header %s shows a proxy, even if it is empty or names this machine', name => {
  for (const value of [OTHER, '127.0.0.1', '::1', 'localhost', '', '1.1 proxy'])
    expect(isLocal({ [name]: value })).toBe(false)
})

test.each([
  'user-agent',
  'accept',
  'accept-encoding',
  'authorization',
  'connection',
  'content-type',
  'content-length',
  'cookie',
  'upgrade',
  'sec-websocket-protocol',
  'sec-websocket-extensions',
  'sec-fetch-site',
  'sec-fetch-mode',
  'x-client-id',
  'x-realm',
  'traceparent',
  'x-request-id',
  'x-client-version',
  'x-membership',
  'x-zip',
  'priority',
])('the header %s does not show a proxy', name => {
  expect(isLocal({ [name]: 'x' })).toBe(true)
})

test.each([
  'localhost',
  'localhost:8080',
  'LocalHost:1',
  'localhost.',
  'relay.localhost:8080',
  '127.0.0.1',
  '127.0.0.1:8080',
  '127.8.9.10:1',
  '127.1',
  '[::1]',
  '[::1]:8080',
  '[0:0:0:0:0:0:0:1]:80',
  '[::ffff:127.0.0.1]:8080',
])('the host %s is this machine', host => {
  expect(isLocal({ host })).toBe(true)
})

test.each([
  'relay.example.org',
  'relay.example.org:8080',
  'localhost.example.org',
  'notlocalhost',
  '127.0.0.1.example.org',
  'localhost@relay.example.org',
  'relay.example.org@localhost',
  'relay.example.org/localhost',
  'localhost/x',
  'localhost#',
  'localhost?x',
  'localhost\\x',
  'localhost relay.example.org',
  'localhost, relay.example.org',
  'localhost:8080:1',
  '0.0.0.0:8080',
  '[::]:8080',
  '10.0.0.1',
  '192.168.1.7:8080',
  '[fd00::1]',
  '[::ffff:10.0.0.1]',
  '',
])('the host "%s" is not this machine', host => {
  expect(isLocal({ host })).toBe(false)
})

test.each([
  ['127.0.0.1:8080', 'http://127.0.0.1:8080', true],
  ['localhost:8080', 'https://LOCALHOST:8080', true],
  ['localhost', 'http://localhost', true],
  ['localhost:80', 'http://localhost', true],
  ['[::1]:8080', 'http://[::1]:8080', true],
  ['localhost:8080', 'http://localhost:3000', false],
  ['localhost:8080', 'http://127.0.0.1:8080', false],
  ['localhost:8080', 'https://evil.example', false],
  ['localhost:8080', 'http://localhost:8080.evil.example', false],
  ['localhost:8080', 'http://localhost:8080, https://evil.example', false],
  ['localhost:8080', 'null', false],
  ['localhost:8080', 'file://', false],
  ['localhost:8080', 'chrome-extension://localhost:8080', false],
  ['localhost:8080', '', false],
])('at host %s, the server has the origin "%s": %s', (host, origin, isOwn) => {
  expect(isLocal({ host, origin })).toBe(isOwn)
})

test.each([
  ['cross-site', false],
  ['same-site', false],
  ['same-origin', true],
  ['none', true],
])('without Origin, a request with Sec-Fetch-Site %s is from this machine: %s', (site, isOwn) => {
  expect(isLocal({ 'sec-fetch-site': site })).toBe(isOwn)
})

test('a request without a host is not from this machine', () => {
  expect(callerOf(LOOPBACK, new Map(), nowhere).isLocal).toBe(false)
})

test('an address other than loopback is never this machine', () => {
  const elsewhere = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255)).filter(([first]) => first !== 127)
  fc.assert(
    fc.property(elsewhere, bytes => {
      const headers = new Map([['host', 'localhost']])
      expect(callerOf(Uint8Array.from(bytes).buffer, headers, nowhere).isLocal).toBe(false)
    }),
  )
})

const forwardingName = fc
  .tuple(
    fc.constantFrom('', 'x-', 'cf-', 'x-original-', 'true-', 'x-my-'),
    fc.constantFrom('forwarded', 'forwarded-for', 'client-ip', 'real-ip', 'connecting-ip', 'remote-addr', 'via'),
  )
  .map(parts => parts.join(''))
const ordinaryHeader = fc.dictionary(
  fc.constantFrom('user-agent', 'accept', 'authorization', 'content-type', 'accept-language'),
  fc.string(),
)
const localHost = fc
  .tuple(
    fc.oneof(
      fc.constantFrom('localhost', 'LOCALHOST', '[::1]', 'a.localhost'),
      fc.tuple(fc.nat(255), fc.nat(255), fc.nat(254)).map(rest => `127.${rest.join('.')}`),
    ),
    fc.option(fc.integer({ min: 0, max: 65_535 }), { nil: undefined }),
  )
  .map(([name, port]) => (port === undefined ? name : `${name}:${port}`))

test('a local client names a loopback host, and has no header of a proxy or of another page', () => {
  fc.assert(
    fc.property(
      localHost,
      ordinaryHeader,
      forwardingName,
      fc.string(),
      fc.domain(),
      (host, usual, name, text, other) => {
        expect(isLocal({ ...usual, host })).toBe(true)
        expect(isLocal({ ...usual, host, [name]: text })).toBe(false)
        expect(isLocal({ ...usual, host: other })).toBe(false)
        expect(isLocal({ ...usual, host, origin: `https://${other}` })).toBe(false)
      },
    ),
    { numRuns: 300 },
  )
})

const keyOf = (headers: Record<string, string>, rules: CallerRules) =>
  callerOf(LOOPBACK, new Map(Object.entries({ host: 'localhost', ...headers })), rules).key
const exempt = { proxies: [], exemptAddresses: [parseRange('127.0.0.0/8')] }
const behindProxy = { ...exempt, proxies: [parseRange('127.0.0.1')] }

test('an exempt loopback address exempts this machine, but not clients behind a proxy on it', () => {
  expect(keyOf({}, exempt)).toBeUndefined()
  for (const headers of [{ via: '1.1 proxy' }, { 'x-forwarded-for': OTHER }, { host: 'relay.example.org' }])
    expect(keyOf(headers, exempt)).toBe('127.0.0.1')
})

test('behind a trusted proxy the named client is exempt or counted, but never local', () => {
  expect(keyOf({ 'x-forwarded-for': OTHER, host: 'relay.example.org' }, behindProxy)).toBe(OTHER)
  expect(keyOf({ 'x-forwarded-for': '127.0.0.9', host: 'relay.example.org' }, behindProxy)).toBeUndefined()
  expect(isLocal({ 'x-forwarded-for': '127.0.0.1' }, behindProxy)).toBe(false)
  expect(isLocal({}, behindProxy)).toBe(true)
})
