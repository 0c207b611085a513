/** All pages of the product by their path. A page's code loads when the page is opened. */
import type { ComponentType } from 'react'
import { isValidElement, lazy, Suspense, useCallback, useEffect } from 'react'
import {
  createRoutesFromElements,
  matchRoutes,
  Navigate,
  Outlet,
  Route,
  useBlocker,
  useLocation,
  useNavigate,
} from 'react-router'
import type { BlockerFunction, RouteObject } from 'react-router'
import { useProofRequest } from '#web/client/proof.ts'
import { useSession } from '#web/client/session.ts'
import { prefetch, importWithRetry } from '#web/shell/load-page.ts'
import { PageLoader } from '#web/ui/Skeleton.tsx'
import { hasUnsavedChanges, leaveOrAsk } from '#web/ui/use-unsaved-changes-guard.ts'
import { deleteDraftsOnLogout } from './batches/bulk/drafts/draft-storage.ts'
import { RouteErrorPage } from './shell/ErrorBoundary.tsx'
import { ImpersonationBar } from './shell/ImpersonationBar.tsx'
import { RequireAdmin, RequireSignIn, SET_UP_PATH } from './shell/route-guards.tsx'

type LoadChunk = () => Promise<unknown>

const chunkLoaders: LoadChunk[] = []
/** Pages that only administrators open. */
const adminChunkLoaders: LoadChunk[] = []
/** Dialogs over any page: were their code gone after a release, what the page holds would be lost. */
const dialogChunkLoaders: LoadChunk[] = []
/** Each page's loader. A page whose chunk has loaded renders at once. */
const pageLoaders = new Map<unknown, LoadChunk>()

function lazyPage<Name extends string>(
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
  among = chunkLoaders,
): ComponentType {
  let loaded: { default: ComponentType } | null = null
  const loadChunk = async () => (loaded = { default: (await importWithRetry(load))[name] })
  const page = lazy(() => (loaded ? settledPromise(loaded) : loadChunk()))
  among.push(load)
  pageLoaders.set(page, loadChunk)
  return page
}

/** React reads it without waiting, so that hydration keeps the prerendered page. */
const settledPromise = <Value,>(value: Value): Promise<Value> =>
  // oxlint-disable-next-line unicorn/no-thenable -- a promise is never read at once
  ({ then: (use: (value: Value) => void) => use(value) }) as Promise<Value>

/** Loads the chunks of the page at `path` and of its frame. Never rejects: opening the page loads them again. */
export async function loadPage(among: RouteObject[], path: string): Promise<void> {
  const elements = (matchRoutes(among, path) ?? []).map(({ route }) => route.element)
  const loads = elements.map(element => isValidElement(element) && pageLoaders.get(element.type))
  await Promise.allSettled(loads.map(load => load && load()))
}

const LoginPage = lazyPage(() => import('#web/accounts/LoginPage.tsx'), 'LoginPage')
const RegisterPage = lazyPage(() => import('#web/accounts/RegisterPage.tsx'), 'RegisterPage')
const ForgotPasswordPage = lazyPage(
  () => import('#web/accounts/ForgotPasswordPage.tsx'),
  'ForgotPasswordPage',
)
const ResetPasswordPage = lazyPage(
  () => import('#web/accounts/ResetPasswordPage.tsx'),
  'ResetPasswordPage',
)
const VerifyEmailPage = lazyPage(
  () => import('#web/accounts/email/EmailLinkPages.tsx'),
  'VerifyEmailPage',
)
const UndoEmailChangePage = lazyPage(
  () => import('#web/accounts/email/EmailLinkPages.tsx'),
  'UndoEmailChangePage',
)
const SignInAgain = lazyPage(
  () => import('#web/accounts/SignInAgain.tsx'),
  'SignInAgain',
  dialogChunkLoaders,
)
const ProofDialog = lazyPage(
  () => import('#web/accounts/two-step/ProofDialog.tsx'),
  'ProofDialog',
  dialogChunkLoaders,
)
const SetUpPage = lazyPage(() => import('#web/accounts/two-step/SetUpPage.tsx'), 'SetUpPage')
const OperatorPage = lazyPage(() => import('#web/support/OperatorPage.tsx'), 'OperatorPage')
const ContactPage = lazyPage(() => import('#web/support/ContactPage.tsx'), 'ContactPage')
const ParcelPage = lazyPage(() => import('#web/orders/parcel/ParcelPage.tsx'), 'ParcelPage')
const StopMailsPage = lazyPage(
  () => import('#web/orders/parcel/StopMailsPage.tsx'),
  'StopMailsPage',
)
const OnboardingPage = lazyPage(() => import('#web/accounts/OnboardingPage.tsx'), 'OnboardingPage')
const UserShell = lazyPage(() => import('#web/shell/UserShell.tsx'), 'UserShell')
const WelcomePage = lazyPage(() => import('#web/shell/WelcomePage.tsx'), 'WelcomePage')
const DashboardPage = lazyPage(() => import('#web/dashboard/DashboardPage.tsx'), 'DashboardPage')
const OrderLabelPage = lazyPage(() => import('#web/orders/OrderLabelPage.tsx'), 'OrderLabelPage')
const BulkOrderPage = lazyPage(() => import('#web/batches/BulkOrderPage.tsx'), 'BulkOrderPage')
const OrdersPage = lazyPage(() => import('#web/orders/OrdersPage.tsx'), 'OrdersPage')
const LabelPage = lazyPage(() => import('#web/orders/details/LabelPage.tsx'), 'LabelPage')
const BatchOrdersPage = lazyPage(
  () => import('#web/batches/BatchOrdersPage.tsx'),
  'BatchOrdersPage',
)
const EndOfDayPage = lazyPage(
  () => import('#web/batches/end-of-day/EndOfDayPage.tsx'),
  'EndOfDayPage',
)
const RefundsPage = lazyPage(() => import('#web/orders/refunds/RefundsPage.tsx'), 'RefundsPage')
const WalletPage = lazyPage(() => import('#web/payments/WalletPage.tsx'), 'WalletPage')
const DepositPage = lazyPage(() => import('#web/payments/DepositPage.tsx'), 'DepositPage')
const AddressPage = lazyPage(() => import('#web/addresses/AddressPage.tsx'), 'AddressPage')
const SkuPage = lazyPage(() => import('#web/skus/SkuPage.tsx'), 'SkuPage')
const InvitePage = lazyPage(() => import('#web/referrals/InvitePage.tsx'), 'InvitePage')
const DemoPage = lazyPage(() => import('#web/batches/DemoPage.tsx'), 'DemoPage')
const NotFoundPage = lazyPage(() => import('#web/shell/NotFoundPage.tsx'), 'NotFoundPage')
const AccountPage = lazyPage(() => import('#web/accounts/AccountPage.tsx'), 'AccountPage')
const ProgressOverlay = lazyPage(
  () => import('#web/batches/ProgressOverlay.tsx'),
  'ProgressOverlay',
)

const AdminShell = lazyPage(
  () => import('#web/shell/AdminShell.tsx'),
  'AdminShell',
  adminChunkLoaders,
)
const AdminNotFoundPage = lazyPage(
  () => import('#web/shell/AdminNotFoundPage.tsx'),
  'AdminNotFoundPage',
  adminChunkLoaders,
)
const AdminDashboardPage = lazyPage(
  () => import('./admin/AdminDashboardPage.tsx'),
  'AdminDashboardPage',
  adminChunkLoaders,
)
const UserManagementPage = lazyPage(
  () => import('./accounts/admin/users/UserManagementPage.tsx'),
  'UserManagementPage',
  adminChunkLoaders,
)
const UserStatementPage = lazyPage(
  () => import('./accounts/admin/users/UserStatementPage.tsx'),
  'UserStatementPage',
  adminChunkLoaders,
)
const AccountLookPage = lazyPage(
  () => import('./admin/account-look/AccountLookPage.tsx'),
  'AccountLookPage',
  adminChunkLoaders,
)
const OrderLabelManagementPage = lazyPage(
  () => import('./orders/admin/OrderLabelManagementPage.tsx'),
  'OrderLabelManagementPage',
  adminChunkLoaders,
)
const ReferralManagementPage = lazyPage(
  () => import('./referrals/admin/ReferralManagementPage.tsx'),
  'ReferralManagementPage',
  adminChunkLoaders,
)
const DefaultServicesPage = lazyPage(
  () => import('./catalogue/admin/DefaultServicesPage.tsx'),
  'DefaultServicesPage',
  adminChunkLoaders,
)
const LabelDetailsPage = lazyPage(
  () => import('./orders/admin/LabelDetailsPage.tsx'),
  'LabelDetailsPage',
  adminChunkLoaders,
)
const AdjustmentsPage = lazyPage(
  () => import('./admin/adjustments/AdjustmentsPage.tsx'),
  'AdjustmentsPage',
  adminChunkLoaders,
)
const AuditPage = lazyPage(
  () => import('./accounts/admin/audit/AuditPage.tsx'),
  'AuditPage',
  adminChunkLoaders,
)

deleteDraftsOnLogout()

/** The landing page is a document of its own (landing/prerender.ts), so the server has to send it. */
function RedirectToLanding() {
  useEffect(() => location.replace('/'), [])
  return <PageLoader />
}

/** Pages to sign in on, and of receivers: the dialog of an ended session would be in the way there. */
const PATHS_WITHOUT_SESSION =
  /^\/(?:(?:login|register|forgot-password|reset-password|verify-email|undo-email-change|stop-parcel-mails)\/*$|track\/)/

/** What is on every page: guards, bars and dialogs around the page. */
function RootLayout() {
  const signedIn = useSession(session => session.user !== null)
  const admin = useSession(session => session.user?.user_role === 'admin')
  const ended = useSession(session => session.state === 'ended')
  const proofAsked = useProofRequest(({ request }) => request !== null)
  const { pathname } = useLocation()
  const navigate = useNavigate()
  useUnsavedChangesBlocker()
  useEffect(() => (signedIn ? prefetch(dialogChunkLoaders, 'always') : undefined), [signedIn])
  useEffect(() => (signedIn ? prefetch(chunkLoaders) : undefined), [signedIn])
  useEffect(() => (admin ? prefetch(adminChunkLoaders) : undefined), [admin])
  return (
    <>
      <ImpersonationBar onBack={() => void navigate('/admin/user-management', { replace: true })} />
      <Suspense fallback={<PageLoader />}>
        <Outlet />
      </Suspense>
      {signedIn && (
        <Suspense fallback={null}>
          <ProgressOverlay />
        </Suspense>
      )}
      {signedIn && proofAsked && (
        <Suspense fallback={null}>
          <ProofDialog />
        </Suspense>
      )}
      {ended && !PATHS_WITHOUT_SESSION.test(pathname) && (
        <Suspense fallback={null}>
          <SignInAgain />
        </Suspense>
      )}
    </>
  )
}

/** Back, links and navigate() ask first while a form has unsaved changes. A new query (`?page=2`) leaves the page as it is. */
function useUnsavedChangesBlocker(): void {
  const userId = useSession(session => session.user?._id)
  const shouldBlock = useCallback<BlockerFunction>(
    ({ currentLocation, nextLocation }) =>
      hasUnsavedChanges()
      && currentLocation.pathname !== nextLocation.pathname
      // The page of a user who has just signed out is gone already.
      && useSession.getState().user?._id === userId,
    [userId],
  )
  const blocker = useBlocker(shouldBlock)
  useEffect(() => {
    if (blocker.state === 'blocked') leaveOrAsk(blocker.proceed, blocker.reset)
  }, [blocker])
}

/** Routes with only an `errorElement` show a page's error inside the frame around them. */
export const routes = createRoutesFromElements(
  <Route element={<RootLayout />} errorElement={<RouteErrorPage />}>
    <Route errorElement={<RouteErrorPage />}>
      <Route path="/" element={<RedirectToLanding />} />
      <Route path="/login" element={<LoginPage />} />
      <Route path="/register" element={<RegisterPage />} />
      <Route path="/forgot-password" element={<ForgotPasswordPage />} />
      <Route path="/reset-password" element={<ResetPasswordPage />} />
      <Route path="/verify-email" element={<VerifyEmailPage />} />
      <Route path="/undo-email-change" element={<UndoEmailChangePage />} />
      <Route path="/onboarding" element={<OnboardingPage />} />
      {['help', 'terms', 'privacy', 'refunds'].map(slug => (
        <Route key={slug} path={`/${slug}`} element={<OperatorPage />} />
      ))}
      <Route path="/contact" element={<ContactPage />} />
      <Route path="/track/:token" element={<ParcelPage />} />
      <Route path="/stop-parcel-mails" element={<StopMailsPage />} />
      <Route element={<RequireSignIn />}>
        <Route path={SET_UP_PATH} element={<SetUpPage />} />
        <Route path="/main" element={<UserShell />}>
          <Route errorElement={<RouteErrorPage insideFrame />}>
            <Route index element={<Navigate to="dashboard" replace />} />
            <Route path="dashboard" element={<DashboardPage />} />
            <Route path="order-label" element={<OrderLabelPage />} />
            <Route path="bulk-order" element={<BulkOrderPage />} />
            <Route path="orders" element={<OrdersPage />} />
            <Route path="orders/:orderId" element={<LabelPage />} />
            <Route path="batch-orders" element={<BatchOrdersPage />} />
            <Route path="batch-orders/end-of-day" element={<EndOfDayPage />} />
            <Route path="end-of-day" element={<EndOfDayPage />} />
            <Route path="refunds" element={<RefundsPage />} />
            <Route path="deposit" element={<DepositPage />} />
            <Route path="wallet" element={<WalletPage />} />
            <Route path="address" element={<AddressPage />} />
            <Route path="sku" element={<SkuPage />} />
            <Route path="invite" element={<InvitePage />} />
            <Route path="demo" element={<DemoPage />} />
            <Route path="admin" element={<Navigate to="/admin/dashboard" replace />} />
            <Route path="account" element={<AccountPage />} />
            <Route path="*" element={<WelcomePage />} />
          </Route>
        </Route>
        <Route element={<RequireAdmin />}>
          <Route path="/admin" element={<AdminShell />}>
            <Route errorElement={<RouteErrorPage insideFrame />}>
              <Route index element={<Navigate to="dashboard" replace />} />
              <Route path="dashboard" element={<AdminDashboardPage />} />
              <Route path="user-management" element={<UserManagementPage />} />
              <Route path="user-management/:userId/statement" element={<UserStatementPage />} />
              <Route path="user-management/:userId/account/:part?" element={<AccountLookPage />} />
              <Route path="order-label-management" element={<OrderLabelManagementPage />} />
              <Route path="order-label-management/:orderId" element={<LabelDetailsPage />} />
              <Route path="referral-management" element={<ReferralManagementPage />} />
              <Route path="default-services" element={<DefaultServicesPage />} />
              <Route path="adjustments" element={<AdjustmentsPage />} />
              <Route path="audit" element={<AuditPage />} />
              <Route path="*" element={<AdminNotFoundPage />} />
            </Route>
          </Route>
        </Route>
      </Route>
      <Route path="*" element={<NotFoundPage />} />
    </Route>
  </Route>,
)
