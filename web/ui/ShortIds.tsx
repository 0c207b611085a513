import { partsWithIds, shortId } from './short-ids.ts'

/** A sentence with its long ids cut in the middle; the pointer shows them whole. */
export const ShortIds = ({ text }: { text: string }) =>
  partsWithIds(text).map(({ part, isId }, i) =>
    isId ? (
      <span key={i} title={part}>
        {shortId(part)}
      </span>
    ) : (
      part
    ),
  )
