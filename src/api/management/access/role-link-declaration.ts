import { z } from 'zod'
import { paginationQuery } from '../pagination.ts'
import { declareSubresource } from './resource-declaration.ts'

/**
 * Describes the entities that can be linked to a role: their name, the path parameter for their id, and the schemas for
 * listing and adding them.
 */
type RoleLinks<
  Key extends string,
  ListItem extends z.ZodType,
  Ids extends z.ZodType,
  Filter extends z.ZodRawShape,
> = {
  name: 'user' | 'application' | 'scope'
  key: Key
  listItem: ListItem
  ids: Ids
  /** The query parameters of the list, apart from pagination. */
  filter: Filter
  descriptions: { list: string; add: string; remove: string }
}

/** Declares the calls that list all users, applications or scopes of a role, add several, and remove one. */
export function declareRoleLinks<
  const Key extends string,
  ListItem extends z.ZodType,
  Ids extends z.ZodType,
  Filter extends z.ZodRawShape,
>({ name, key, listItem, ids, filter, descriptions }: RoleLinks<Key, ListItem, Ids, Filter>) {
  const links = declareSubresource(key, { tag: 'Roles', name, entity: listItem, subject: 'Role' })
  const capitalized = { user: 'User', application: 'Application', scope: 'Scope' }[name]
  const addition = {
    operationId: `addRole${capitalized}s`,
    summary: `Add ${name}s to a role`,
    description: descriptions.add,
    body: ids,
  }

  return {
    list: links.list({
      operationId: `listRole${capitalized}s`,
      summary: `List the ${name}s of a role`,
      description: descriptions.list,
      query: z.object({ ...paginationQuery, ...filter }),
    }),
    add: links.link({ ...addition, refusals: [422] }),
    /** Declares a call that adds items and returns all items of the role. */
    addAndList: <ResponseSchema extends z.ZodType>(response: ResponseSchema) =>
      links.create({ ...addition, response }),
    remove: links.delete({
      operationId: `removeRole${capitalized}`,
      summary: `Remove one ${name} from a role`,
      description: descriptions.remove,
    }),
    audit: links.audit,
  }
}
