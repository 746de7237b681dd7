/** The frame with the result `true`: the response to a publish, and the acknowledgement of a push. */

export const BEFORE_ID = Buffer.from('{"id":')
export const AFTER_ID = Buffer.from(',"jsonrpc":"2.0","result":true}')

/** Length of the frame for an id of that length. */
export const answerBytes = (idLength: number): number => BEFORE_ID.length + idLength + AFTER_ID.length

/**
 * Writes responses for ids as written in the request: ASCII, at most `longest` bytes. All share one buffer, so a response
 * is valid until the next one.
 */
export const createAnswerWriter = (longest: number) => {
  const room = Buffer.alloc(answerBytes(longest))
  room.set(BEFORE_ID)
  let frame = room

  return (id: string): Buffer => {
    const idAt = BEFORE_ID.length
    for (let at = 0; at < id.length; at++) room[idAt + at] = id.charCodeAt(at)
    room.set(AFTER_ID, idAt + id.length)
    const length = answerBytes(id.length)
    // Most have the same length as the last.
    if (frame.length !== length) frame = room.subarray(0, length)
    return frame
  }
}
