import { Fragment } from 'react'

/** An address or a file name: a line may end behind a slash, hyphen or underscore. */
export const BreakableText = ({ text }: { text: string }) =>
  text.split(/(?<=[/_-])(?![/_-])/).map((part, at) => (
    <Fragment key={`${at} ${part}`}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ))
