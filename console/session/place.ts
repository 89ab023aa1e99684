/** What the document says of the place of the console (spec/console#document). */
const metaContent = (name: string): string | undefined =>
  document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)?.content

/**
 * The origin whose API the console calls, and at which its users sign in: another one where the console has a host of its own
 * (spec/console#own-host).
 */
export const apiOrigin = metaContent('api-origin') ?? window.location.origin

/** Whether the tenants of the deployment are managed here (spec/management#tenants-api). */
export const isOperatorsTenant = metaContent('tenant-id') === 'default'
