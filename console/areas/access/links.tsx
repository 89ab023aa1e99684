import { Link } from 'wouter'

type LinksProps<T> = {
  rows: readonly T[] | undefined
  /**
   * Returns the path of a row's page. Pass false if the user may not read such pages, because their area needs another
   * scope.
   */
  getHref: ((row: T) => string) | false
  getName: (row: T) => string
}

/** The names of users or applications, each linked to its page. */
export const Links = <T extends { id: string }>({ rows = [], getHref, getName }: LinksProps<T>) => (
  <ul>
    {rows.map((row) => (
      <li key={row.id}>{getHref ? <Link href={getHref(row)}>{getName(row)}</Link> : getName(row)}</li>
    ))}
  </ul>
)
