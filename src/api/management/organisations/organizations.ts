import type { Dependencies } from '../../../application/dependencies.ts'
import { type ManagementGuard, managementRouter } from '../router.ts'
import { organizationInvitationRoutes } from './invitations.ts'

/** Serves organisations (spec/organisations). */
export const organizationRoutes = (dependencies: Dependencies, guard: ManagementGuard) =>
  managementRouter(dependencies, guard).route('/:id/invitations', organizationInvitationRoutes(dependencies))
