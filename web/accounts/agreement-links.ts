/** A page of the operator that new customers agree to. */
type AgreementLink = { path: string; name: string }

/** Empty without such a page, and where the server has not filled the page in. */
export function parseAgreement(content: string | null | undefined): AgreementLink[] {
  if (!content?.startsWith('[')) return []
  return JSON.parse(content) as AgreementLink[]
}

/** What the server has written into the page. */
export const readAgreement = (): AgreementLink[] =>
  parseAgreement(document.querySelector<HTMLMetaElement>('meta[name="agreement"]')?.content)
