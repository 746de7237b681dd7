/** Parts of the frame with the result `true`, before and after its id: the acknowledgement of a push. */

export const BEFORE_ID = Buffer.from('{"id":')
export const AFTER_ID = Buffer.from(',"jsonrpc":"2.0","result":true}')
