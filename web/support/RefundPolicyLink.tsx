import { usePublicSettings } from '#web/client/public-settings.ts'

/** To the operator's rules for money back, in a new tab; nothing where there are none. */
export function RefundPolicyLink() {
  const page = usePublicSettings().data?.support.pages.find(({ slug }) => slug === 'refunds')
  if (!page) return null
  return (
    <a href="/refunds" target="_blank" rel="noopener">
      {page.title}
    </a>
  )
}
