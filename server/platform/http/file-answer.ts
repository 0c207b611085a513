import type { FastifyReply } from 'fastify'

const SHOWN_TYPES = ['application/pdf', 'image/png']

/** `name`: contains nothing that needs escaping (RFC 6266). `bytes`: unknown of a file that is made while it is sent. */
export type FileHead = { type: string; name: string; bytes?: number | undefined }

/**
 * The head of an answer that is a file. Browsers show PDFs and pictures and save the rest; nothing in a file may run or load, as
 * customers and carriers wrote it.
 */
export function asFile(reply: FastifyReply, { type, name, bytes }: FileHead): FastifyReply {
  if (bytes !== undefined) reply.header('content-length', String(bytes))
  return reply
    .type(type)
    .header(
      'content-disposition',
      `${SHOWN_TYPES.includes(type) ? 'inline' : 'attachment'}; filename="${name}"`,
    )
    .header('content-security-policy', "default-src 'none'; sandbox")
}
