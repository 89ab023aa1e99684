import { z } from 'zod'
import { paginationQuery } from '../pagination.ts'
import { declareSubresource } from './resource-declaration.ts'

/** What is linked with a role: its name, its id in the path, and how it is listed and given. */
type RoleLinks<
  Key extends string,
  Listed extends z.ZodType,
  Ids extends z.ZodType,
  Filter extends z.ZodRawShape,
> = {
  name: string
  key: Key
  listed: Listed
  ids: Ids
  /** Beside the page, query parameters of the list. */
  filter: Filter
  descriptions: { list: string; add: string; remove: string }
}

/** The calls of users, applications and scopes of a role: a list, an addition of several, a removal of one. */
export function declareRoleLinks<
  const Key extends string,
  Listed extends z.ZodType,
  Ids extends z.ZodType,
  Filter extends z.ZodRawShape,
>({ name, key, listed, ids, filter, descriptions }: RoleLinks<Key, Listed, Ids, Filter>) {
  const links = declareSubresource(key, { tag: 'Roles', name, entity: listed, subject: 'Role' })
  const addition = { summary: `Add ${name}s to a role`, description: descriptions.add, body: ids }

  return {
    list: links.list({
      summary: `List the ${name}s of a role`,
      description: descriptions.list,
      query: z.object({ ...paginationQuery, ...filter }),
    }),
    add: links.link({ ...addition, refusals: [422] }),
    /** Where the answer is what the role has afterwards. */
    addAndList: <Answer extends z.ZodType>(answer: Answer) => links.create({ ...addition, answer }),
    remove: links.delete({ summary: `Remove one ${name} from a role`, description: descriptions.remove }),
    audit: links.audit,
  }
}
