import type { StorageProvider } from '../../contract/tenants/settings.ts'
import { azureStorage } from './azure.ts'
import { r2 } from './r2.ts'
import { s3Storage } from './s3.ts'
import type { ProviderProblem, Upload, UploadContext, UploadReach } from './upload.ts'

/** Why uploads cannot go there. Checked when it is stored and before each use, as what is allowed may change. */
export function providerProblem(provider: StorageProvider, reach: UploadReach): ProviderProblem | null {
  switch (provider.provider) {
    case 'S3Storage':
      return s3Storage.problem(provider, reach)
    case 'AzureStorage':
      return azureStorage.problem(provider, reach)
    case 'R2':
      return r2.problem(provider, reach)
  }
}

/** Stores an upload and answers its address; throws an UploadFailure. The provider was checked before. */
export async function keepUpload(
  provider: StorageProvider,
  upload: Upload,
  context: UploadContext,
): Promise<string> {
  switch (provider.provider) {
    case 'S3Storage':
      return s3Storage.put(provider, upload, context)
    case 'AzureStorage':
      return azureStorage.put(provider, upload, context)
    case 'R2':
      return r2.put(provider, upload, context)
  }
}

/** Deletes some of the uploads below a prefix; throws an UploadFailure. True: nothing is left. The provider was checked before. */
export async function removeUploads(
  provider: StorageProvider,
  prefix: string,
  context: UploadContext,
): Promise<boolean> {
  switch (provider.provider) {
    case 'S3Storage':
      return s3Storage.removeSome(provider, prefix, context)
    case 'AzureStorage':
      return azureStorage.removeSome(provider, prefix, context)
    case 'R2':
      return r2.removeSome(provider, prefix, context)
  }
}
