/** Descriptions that carriers publish of their interfaces (OpenAPI 3.0), and whether a request of ours is one that they describe. */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { schemaErrors, resolveRef } from './json-schema.ts'
import type { Schema } from './json-schema.ts'

type Content = { content?: Record<string, { schema: Schema }> }
type Operation = {
  parameters?: { $ref?: string; in: string; name: string; required?: boolean; schema: Schema }[]
  requestBody?: Content
  responses: Record<string, Content & { $ref?: string }>
}
type Document = { paths: Record<string, Record<string, Operation>> }

/** A question as it was sent: the path without the address of the server, the names of headers in small letters. */
export type SentRequest = {
  method: string
  path: string
  headers: Record<string, unknown>
  body: unknown
}

export type PublishedContract = {
  /** What of a question is not as published; empty when all of it is. */
  requestErrors(sent: SentRequest): string[]
  /** The same of an answer to it. */
  responseErrors(sent: SentRequest, status: number, body: unknown): string[]
}

/** A published description where this copy of the project has them beside it; null elsewhere. `place`: below their folder. */
export function loadPublishedContract(place: string): PublishedContract | null {
  const file = fileURLToPath(new URL(`../../../shared/contracts/${place}`, import.meta.url))
  return existsSync(file)
    ? createPublishedContract(parse(readFileSync(file, 'utf8')) as Document)
    : null
}

export function createPublishedContract(document: Document): PublishedContract {
  function operationOf({
    method,
    path,
  }: Pick<SentRequest, 'method' | 'path'>): Operation | undefined {
    const [bare] = path.split('?')
    const found = Object.entries(document.paths).find(
      ([template, methods]) =>
        methods[method.toLowerCase()]
        && new RegExp(`^${template.replace(/\{[^}]+\}/g, '[^/]+')}$`).test(bare!),
    )
    return found?.[1][method.toLowerCase()]
  }

  return {
    requestErrors(sent) {
      const operation = operationOf(sent)
      if (!operation) return [`${sent.method} ${sent.path} is not published`]
      const missing = (operation.parameters ?? [])
        .map(one => resolveRef(document, one))
        .filter(
          ({ in: place, name, required }) =>
            place === 'header' && required && sent.headers[name.toLowerCase()] === undefined,
        )
        .map(({ name }) => `header ${name} is missing`)
      const schema = operation.requestBody?.content?.['application/json']?.schema
      if (!schema) return sent.body === undefined ? missing : [...missing, 'no body is published']
      return [...missing, ...schemaErrors(document, schema, sent.body, 'body')]
    },
    responseErrors(sent, status, body) {
      const response = operationOf(sent)?.responses[status]
      const content = response && Object.values(resolveRef(document, response).content ?? {})[0]
      return content
        ? schemaErrors(document, content.schema, body, 'answer')
        : [`no answer ${status} is published`]
    },
  }
}
