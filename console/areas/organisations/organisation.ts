import type { z } from 'zod'
import type { OrganizationSchema } from '../../../src/contract/organisations/organizations.schema.ts'
import type { EntityForm } from '../../api/entity-form.ts'

export type Organization = z.infer<typeof OrganizationSchema>
export type OrganizationForm = EntityForm<Organization>
