export class ResponseTooLongError extends Error {}

/** Throws ResponseTooLongError for more than `maxBytes`. */
export async function readResponse(response: Response, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > maxBytes)
      throw new ResponseTooLongError(`the answer has more than ${maxBytes / 1024 / 1024} MB`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
