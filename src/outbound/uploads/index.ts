import type { StorageProvider } from '../../contract/tenants/settings.ts'
import { azureStorage } from './azure.ts'
import { r2Storage } from './r2.ts'
import { s3Storage } from './s3.ts'
import type { UploadStorage } from './upload.ts'

/** Returns the storage for a tenant's uploads. */
export function createUploadStorage(provider: StorageProvider): UploadStorage {
  switch (provider.provider) {
    case 'S3Storage':
      return s3Storage(provider)
    case 'AzureStorage':
      return azureStorage(provider)
    case 'R2':
      return r2Storage(provider)
  }
}
