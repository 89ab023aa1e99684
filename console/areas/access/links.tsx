import { Link } from 'wouter'

type LinksProps<T> = {
  rows: readonly T[] | undefined
  /**
   * Returns the path of a row's page. Pass false if the user may not read such pages, because their area needs another
   * scope.
   */
  hrefOf: ((row: T) => string) | false
  nameOf: (row: T) => string
}

/** The names of users or applications, each linked to its page. */
export const Links = <T extends { id: string }>({ rows = [], hrefOf, nameOf }: LinksProps<T>) => (
  <ul>
    {rows.map((row) => (
      <li key={row.id}>{hrefOf ? <Link href={hrefOf(row)}>{nameOf(row)}</Link> : nameOf(row)}</li>
    ))}
  </ul>
)
