import { PageLoader } from '#web/ui/Skeleton.tsx'

/** Stands here until the page does. */
export const UserStatementPage = () => <PageLoader />
