/** Every address of the product and what stands there (specification, 2). Pages load when they are gone to. */
import type { ComponentType } from 'react'
import { lazy, Suspense, useEffect } from 'react'
import { Navigate, Route, Routes, useLocation, useNavigate } from 'react-router'
import { forgetDraftsOnLogout } from '#web/batches/bulk/saved.ts'
import { useSession } from '#web/client/session.ts'
import { ActorBar } from '#web/shell/ActorBar.tsx'
import { AdminOnly, SignedIn } from '#web/shell/guards.tsx'
import { ahead, patiently } from '#web/shell/load-page.ts'
import { PageLoader } from '#web/ui/Skeleton.tsx'

type Chunks = (() => Promise<unknown>)[]

const chunks: Chunks = []
/** Of the administrator's pages, which nobody else has a use for. */
const adminChunks: Chunks = []
const page = <Name extends string>(
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
  among = chunks,
) => {
  among.push(load)
  return lazy(async () => ({ default: (await patiently(load))[name] }))
}

const LoginPage = page(() => import('#web/accounts/LoginPage.tsx'), 'LoginPage')
const RegisterPage = page(() => import('#web/accounts/RegisterPage.tsx'), 'RegisterPage')
const ForgotPasswordPage = page(
  () => import('#web/accounts/ForgotPasswordPage.tsx'),
  'ForgotPasswordPage',
)
const ResetPasswordPage = page(
  () => import('#web/accounts/ResetPasswordPage.tsx'),
  'ResetPasswordPage',
)
const SignInAgain = page(() => import('#web/accounts/SignInAgain.tsx'), 'SignInAgain')
const OnboardingPage = page(() => import('#web/accounts/OnboardingPage.tsx'), 'OnboardingPage')
const UserShell = page(() => import('#web/shell/UserShell.tsx'), 'UserShell')
const WelcomePage = page(() => import('#web/shell/WelcomePage.tsx'), 'WelcomePage')
const DashboardPage = page(() => import('#web/dashboard/DashboardPage.tsx'), 'DashboardPage')
const OrderLabelPage = page(() => import('#web/orders/OrderLabelPage.tsx'), 'OrderLabelPage')
const BulkOrderPage = page(() => import('#web/batches/BulkOrderPage.tsx'), 'BulkOrderPage')
const OrdersPage = page(() => import('#web/orders/OrdersPage.tsx'), 'OrdersPage')
const BatchOrdersPage = page(() => import('#web/batches/BatchOrdersPage.tsx'), 'BatchOrdersPage')
const StatementPage = page(() => import('#web/ledger/StatementPage.tsx'), 'StatementPage')
const DepositPage = page(() => import('#web/payments/DepositPage.tsx'), 'DepositPage')
const AddressPage = page(() => import('#web/addresses/AddressPage.tsx'), 'AddressPage')
const SkuPage = page(() => import('#web/skus/SkuPage.tsx'), 'SkuPage')
const InvitePage = page(() => import('#web/referrals/InvitePage.tsx'), 'InvitePage')
const DemoPage = page(() => import('#web/batches/DemoPage.tsx'), 'DemoPage')
const NotFoundPage = page(() => import('#web/shell/NotFoundPage.tsx'), 'NotFoundPage')
const AccountPage = page(() => import('#web/accounts/AccountPage.tsx'), 'AccountPage')
const ProgressOverlay = page(() => import('#web/batches/ProgressOverlay.tsx'), 'ProgressOverlay')

const AdminShell = page(() => import('#web/shell/AdminShell.tsx'), 'AdminShell', adminChunks)
const AdminNotFoundPage = page(
  () => import('#web/shell/AdminNotFoundPage.tsx'),
  'AdminNotFoundPage',
  adminChunks,
)
const AdminDashboardPage = page(
  () => import('#web/admin/dashboard/AdminDashboardPage.tsx'),
  'AdminDashboardPage',
  adminChunks,
)
const UserManagementPage = page(
  () => import('#web/admin/users/UserManagementPage.tsx'),
  'UserManagementPage',
  adminChunks,
)
const UserStatementPage = page(
  () => import('#web/admin/users/UserStatementPage.tsx'),
  'UserStatementPage',
  adminChunks,
)
const OrderLabelManagementPage = page(
  () => import('#web/admin/orders/OrderLabelManagementPage.tsx'),
  'OrderLabelManagementPage',
  adminChunks,
)
const ReferralManagementPage = page(
  () => import('#web/admin/referrals/ReferralManagementPage.tsx'),
  'ReferralManagementPage',
  adminChunks,
)
const DefaultServicesPage = page(
  () => import('#web/admin/services/DefaultServicesPage.tsx'),
  'DefaultServicesPage',
  adminChunks,
)
const LabelStoryPage = page(
  () => import('#web/admin/orders/LabelStoryPage.tsx'),
  'LabelStoryPage',
  adminChunks,
)
const AuditPage = page(() => import('#web/admin/audit/AuditPage.tsx'), 'AuditPage', adminChunks)

forgetDraftsOnLogout()

/** The landing page is a document of its own (landing/prerender.ts), so the way there is by the server. */
function ToLanding() {
  useEffect(() => location.replace('/'), [])
  return <PageLoader />
}

/** Pages where one signs in anyway: a session that has ended is not asked for over them. */
const ENTRANCES = /^\/(login|register|forgot-password|reset-password)\/*$/

export function App() {
  const signedIn = useSession(session => session.user !== null)
  const admin = useSession(session => session.user?.user_role === 'admin')
  const ended = useSession(session => session.state === 'ended')
  const { pathname } = useLocation()
  const navigate = useNavigate()
  useEffect(() => (signedIn ? ahead(chunks) : undefined), [signedIn])
  useEffect(() => (admin ? ahead(adminChunks) : undefined), [admin])
  return (
    <>
      <ActorBar onBack={() => void navigate('/admin/user-management', { replace: true })} />
      <Suspense fallback={<PageLoader />}>
        <Routes>
          <Route path="/" element={<ToLanding />} />
          <Route path="/login" element={<LoginPage />} />
          <Route path="/register" element={<RegisterPage />} />
          <Route path="/forgot-password" element={<ForgotPasswordPage />} />
          <Route path="/reset-password" element={<ResetPasswordPage />} />
          <Route path="/onboarding" element={<OnboardingPage />} />
          <Route element={<SignedIn />}>
            <Route path="/main" element={<UserShell />}>
              <Route index element={<Navigate to="dashboard" replace />} />
              <Route path="dashboard" element={<DashboardPage />} />
              <Route path="order-label" element={<OrderLabelPage />} />
              <Route path="bulk-order" element={<BulkOrderPage />} />
              <Route path="orders" element={<OrdersPage />} />
              <Route path="batch-orders" element={<BatchOrdersPage />} />
              <Route path="deposit" element={<DepositPage />} />
              <Route path="wallet" element={<StatementPage />} />
              <Route path="address" element={<AddressPage />} />
              <Route path="sku" element={<SkuPage />} />
              <Route path="invite" element={<InvitePage />} />
              <Route path="demo" element={<DemoPage />} />
              <Route
                path="admin"
                element={
                  <AdminOnly>
                    <Navigate to="/admin/dashboard" replace />
                  </AdminOnly>
                }
              />
              <Route path="account" element={<AccountPage />} />
              <Route path="*" element={<WelcomePage />} />
            </Route>
            <Route
              path="/admin"
              element={
                <AdminOnly>
                  <AdminShell />
                </AdminOnly>
              }
            >
              <Route index element={<Navigate to="dashboard" replace />} />
              <Route path="dashboard" element={<AdminDashboardPage />} />
              <Route path="user-management" element={<UserManagementPage />} />
              <Route path="user-management/:userId/statement" element={<UserStatementPage />} />
              <Route path="order-label-management" element={<OrderLabelManagementPage />} />
              <Route path="order-label-management/:orderId" element={<LabelStoryPage />} />
              <Route path="referral-management" element={<ReferralManagementPage />} />
              <Route path="default-services" element={<DefaultServicesPage />} />
              <Route path="audit" element={<AuditPage />} />
              <Route path="*" element={<AdminNotFoundPage />} />
            </Route>
          </Route>
          <Route path="*" element={<NotFoundPage />} />
        </Routes>
      </Suspense>
      {signedIn && (
        <Suspense fallback={null}>
          <ProgressOverlay />
        </Suspense>
      )}
      {ended && !ENTRANCES.test(pathname) && (
        <Suspense fallback={null}>
          <SignInAgain />
        </Suspense>
      )}
    </>
  )
}
