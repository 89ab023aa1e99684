import type { OrganizationBrand, OrganizationPolicy } from '../../contract/organisations/organizations.ts'
import { throwIfRefused } from '../../contract/refused.ts'
import { findPictureProblem } from '../../domain/experience/pictures.ts'
import { collectLogos } from '../../domain/organisations/brand.ts'
import { findPolicyProblem } from '../../domain/organisations/policy.ts'
import type { Dependencies } from '../dependencies.ts'

type CheckedFields = { policy?: OrganizationPolicy | undefined; brand?: OrganizationBrand | undefined }

/**
 * Refuses a policy that no member could meet, and logos that the pages could not load (spec/organisations#policy,
 * #brand). The settings of the tenant are read from the database, because they may have just changed.
 */
export async function checkOrganizationFields(
  { experience, tenantSettings }: Pick<Dependencies, 'experience' | 'tenantSettings'>,
  tenantId: string,
  { policy, brand }: CheckedFields,
): Promise<void> {
  if (brand) throwIfRefused(findPictureProblem(collectLogos(brand)))
  if (!policy?.methods?.length && !policy?.secondFactor) return
  const fresh = { fresh: true }
  const [offered, settings] = await Promise.all([
    experience.get(tenantId, fresh),
    tenantSettings.get(tenantId, fresh),
  ])
  throwIfRefused(findPolicyProblem(policy, { experience: offered, settings }))
}
