/** Returns the content of a meta element of the document (spec/console#document). */
const metaContent = (name: string): string | undefined =>
  document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)?.content

/**
 * The origin whose API the console calls, and where its users sign in. It differs from the console's origin if the
 * console has its own host (spec/console#own-host).
 */
export const apiOrigin = metaContent('api-origin') ?? window.location.origin

/** Whether the tenants of the deployment are managed here (spec/management#tenants-api). */
export const isOperatorsTenant = metaContent('tenant-id') === 'default'
