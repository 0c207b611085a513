import { easypostLabelFile } from '#contract/easypost.ts'
import { FORMAT_MIME_TYPES } from '#server/labels/print.ts'
import { asFile } from '#server/platform/http/file-answer.ts'
import type { LongAnswers } from '#server/platform/http/long-answers.ts'
import type { Caller, Router } from '#server/platform/http/router.ts'
import type { EasypostContext } from './context.ts'
import { openLinkedFile } from './label-files.ts'

/** Turns are taken as the label's user: the address is opened without a sign-in. */
const asUserOf = (userId: number): Caller => ({
  userId,
  role: 'user',
  sessionId: 0,
  impersonatorId: null,
  key: null,
})

export function registerLabelRoutes(
  router: Router,
  ctx: EasypostContext,
  answers: LongAnswers,
): void {
  router.handle(easypostLabelFile, async ({ params, reply }) => {
    const file = await openLinkedFile(ctx, params.name)
    const turn = { caller: asUserOf(file.userId), reply }
    const body =
      'write' in file
        ? await answers.stream(turn, sink => file.write(sink))
        : await (file.format === 'png' ? answers.run(turn, file.print) : file.print())
    const type = FORMAT_MIME_TYPES[file.format]
    const bytes = Buffer.isBuffer(body) ? body.length : undefined
    return asFile(reply, { type, name: file.fileName, bytes }).send(body)
  })
}
