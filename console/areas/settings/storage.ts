/**
 * The storage for uploads, as the form edits it. It is sent whole, and null is equivalent to an absent field.
 */
export const storageFields = {
  AzureStorage: ['connectionString', 'container', 'publicUrl'],
  S3Storage: ['endpoint', 'bucket', 'accessKeyId', 'accessSecretKey', 'region', 'publicUrl'],
  R2: ['publicUrl'],
} as const
type StorageName = keyof typeof storageFields
type StorageField = (typeof storageFields)[StorageName][number]
export type Storage = { [field in StorageField]?: string | null } & { provider?: StorageName | null }

export const storageSecrets: readonly StorageField[] = ['connectionString', 'accessSecretKey']

/**
 * Returns the storage with only the fields of its provider. The user may have filled in another provider's fields
 * before.
 */
export function buildStorageBody(storage: Storage | null): Storage | null {
  if (!storage?.provider) return null
  const fields = storageFields[storage.provider].flatMap((name) => {
    const value = storage[name]
    return value ? [[name, value]] : []
  })
  return { provider: storage.provider, ...Object.fromEntries(fields) }
}

/**
 * Tells whether every change requires the secret again, because the API never returns it (spec/management#settings).
 */
export const needsSecret = (storage: Storage | null): boolean =>
  storage?.provider === 'S3Storage' || storage?.provider === 'AzureStorage'
