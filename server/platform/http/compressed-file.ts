import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { shareBuffer } from './unread-answers.ts'

/** A response that is compressed once and sent many times. */
export type CompressedFile = { plain: Buffer; brotli: Buffer; gzip: Buffer; tag: string }

export async function compressFile(plain: Buffer): Promise<CompressedFile> {
  const [brotli, gzipped] = await Promise.all([
    promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
    promisify(gzip)(plain, { level: 9 }),
  ])
  const hash = createHash('sha256').update(plain).digest('base64url').slice(0, 22)
  for (const shared of [plain, brotli, gzipped]) shareBuffer(shared)
  return { plain, brotli, gzip: gzipped, tag: `W/"${hash}"` }
}

/** In the best encoding that the client accepts; 304 when it has this version. */
export function sendCompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  file: CompressedFile,
): FastifyReply {
  reply.headers({ vary: 'accept-encoding', etag: file.tag })
  if (reply.statusCode === 200 && request.headers['if-none-match'] === file.tag)
    return reply.code(304).send()
  const accepted = request.headers['accept-encoding'] ?? ''
  if (acceptsEncoding(accepted, 'br'))
    return reply.header('content-encoding', 'br').send(file.brotli)
  if (acceptsEncoding(accepted, 'gzip'))
    return reply.header('content-encoding', 'gzip').send(file.gzip)
  return reply.send(file.plain)
}

/** `gzip;q=0` forbids it. */
export const acceptsEncoding = (header: string, encoding: string): boolean =>
  header
    .split(',')
    .map(part => part.split(';').map(word => word.trim()))
    .some(([name, quality]) => name === encoding && !/^q=0(\.0*)?$/.test(quality ?? ''))
