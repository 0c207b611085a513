import * as calls from '#contract/imports.ts'
import type { Context } from '#server/platform/context.ts'
import type { Router } from '#server/platform/http/router.ts'
import {
  deleteColumnMapping,
  getColumnMapping,
  listImportMemory,
  saveColumnMapping,
  saveRowGrouping,
} from './imports-service.ts'

export function registerImportRoutes(router: Router, ctx: Context): void {
  const { db } = ctx.database

  router.handle(calls.listImports, async ({ params }) => {
    const { mappings, grouping } = await listImportMemory(db, Number(params.userId))
    return {
      mappings: mappings.map(({ fingerprint, name, usedAt }) => ({
        fingerprint,
        name,
        usedAt: usedAt.toISOString(),
      })),
      grouping,
    }
  })

  router.handle(calls.saveGrouping, async ({ params, body }) => {
    await saveRowGrouping(ctx, Number(params.userId), body.source, body.by)
    return { ok: true, message: 'Choice saved' }
  })

  router.handle(calls.getMapping, async ({ params }) => {
    const { name, mapping, usedAt } = await getColumnMapping(
      db,
      Number(params.userId),
      params.fingerprint,
    )
    return { name, mapping, usedAt: usedAt.toISOString() }
  })

  router.handle(calls.saveMapping, async ({ params, body }) => {
    const { fingerprint } = params
    const saved = await saveColumnMapping(ctx, Number(params.userId), { fingerprint, ...body })
    return { ok: true, message: 'Columns saved', usedAt: saved.usedAt.toISOString() }
  })

  router.handle(calls.deleteMapping, async ({ params }) => {
    await deleteColumnMapping(ctx, Number(params.userId), params.fingerprint)
    return { ok: true, message: 'Columns deleted' }
  })
}
