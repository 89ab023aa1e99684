/** Returns the content of a meta element of the document (spec/console#document). */
const readMetaContent = (name: string): string | undefined =>
  document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)?.content

/**
 * The origin of the API and of the sign-in pages. It differs from the console's origin if the console has its own host
 * (spec/console#own-host).
 */
export const apiOrigin = readMetaContent('api-origin') ?? window.location.origin

/** True if the tenants of the deployment can be managed in this console (spec/management#tenants-api). */
export const isOperatorTenant = readMetaContent('tenant-id') === 'default'
