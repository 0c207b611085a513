import { expect } from 'vitest'

/**
 * The answer once no file of an order is being written: until then it is 503, 'try again in a moment'.
 * `send` is called until the status is another one.
 */
export async function sendUntilReady<Answer extends { statusCode: number }>(
  send: () => Promise<Answer>,
): Promise<Answer> {
  let answer = await send()
  await expect
    .poll(async () => {
      if (answer.statusCode === 503) answer = await send()
      return answer.statusCode
    })
    .not.toBe(503)
  return answer
}
