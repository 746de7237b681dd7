/**
 * The ceiling of this runtime: uWebSockets.js with nothing behind it. Nothing is parsed, checked or stored.
 *
 *   S topic             → K            subscribe
 *   P id topic message  → A id         publish, answered; forwarded as it is to the topic
 *   Q topic message                    publish without an answer
 *   D id                               a delivery's acknowledgement, dropped
 */
import { App, us_socket_local_port } from 'uWebSockets.js'

const [SUBSCRIBE, PUBLISH, PUBLISH_ONLY] = [...'SPQ'].map(letter => letter.charCodeAt(0))
const ID = 16
const TOPIC = 64
const MAX_UNSENT = 64 * 1024 * 1024

const ANSWER = 'A'.charCodeAt(0)

const ascii = new TextDecoder('latin1')
const topicAt = (frame: Uint8Array, start: number): string => ascii.decode(frame.subarray(start, start + TOPIC))

const app = App()

app
  .ws('/*', {
    maxBackpressure: MAX_UNSENT,
    idleTimeout: 0,
    message: (ws, buffer) => {
      const frame = new Uint8Array(buffer)
      if (frame[0] === SUBSCRIBE) {
        ws.subscribe(topicAt(frame, 1))
        ws.send('K', true)
      } else if (frame[0] === PUBLISH) {
        app.publish(topicAt(frame, 1 + ID), buffer, true)
        const answer = frame.slice(0, 1 + ID)
        answer[0] = ANSWER
        ws.send(answer, true)
      } else if (frame[0] === PUBLISH_ONLY) app.publish(topicAt(frame, 1), buffer, true)
    },
  })
  .listen('127.0.0.1', 0, socket => {
    if (!socket) throw new Error('the server cannot listen on a port')
    process.stdout.write(`listening on http://127.0.0.1:${us_socket_local_port(socket)}\n`)
  })
