import type { ReactNode } from 'react'
import { readAgreement } from './agreement-links.ts'
import { texts } from './texts.ts'
import styles from './AuthLayout.module.css'

/**
 * What new customers agree to, where the operator has written it. In a page that the build renders, the server fills it in
 * (contract/page-template.ts).
 */
export function Agreement() {
  if (import.meta.env.SSR)
    return (
      <>
        {'{{#agreement}}'}
        <Sentence>
          {'{{#links}}'}
          <PageLink
            before={`{{#joined}}${texts.register.and}{{/joined}}`}
            path="{{path}}"
            name="{{name}}"
          />
          {'{{/links}}'}
        </Sentence>
        {'{{/agreement}}'}
      </>
    )
  const links = readAgreement()
  if (links.length === 0) return null
  return (
    <Sentence>
      {links.map(({ path, name }, at) => (
        <PageLink key={path} before={at === 0 ? '' : texts.register.and} path={path} name={name} />
      ))}
    </Sentence>
  )
}

/** Each text is in an element of its own: hydration would take two adjacent texts for one. */
const Sentence = ({ children }: { children: ReactNode }) => (
  <p className={styles.agreement}>
    <span>{`${texts.register.agree} `}</span>
    {children}
    <span>.</span>
  </p>
)

/** In a new tab, so that nothing typed is lost. */
const PageLink = ({ before, path, name }: { before: string; path: string; name: string }) => (
  <span>
    <span>{before}</span>
    <a href={path} target="_blank" rel="noopener">
      {name}
    </a>
  </span>
)
