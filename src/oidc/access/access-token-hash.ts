import { Provider } from 'oidc-provider'

/**
 * Adds `at_hash` to ID tokens from the token endpoint (OIDC Core §3.1.3.6). The library itself adds it only at the
 * authorization endpoint. The claim is set to the access token, which the library then hashes. `save` and `issue` are
 * methods of the library; a test covers them.
 */
export function addAccessTokenHash(provider: Provider): void {
  const values = new WeakMap<object, string>()
  const { prototype: accessToken } = provider.AccessToken
  const save = accessToken.save
  accessToken.save = async function remembered(this: InstanceType<Provider['AccessToken']>) {
    const value = await save.call(this)
    values.set(this, value)
    return value
  }

  const { prototype: idToken } = provider.IdToken
  const issue = idToken.issue
  idToken.issue = function withHash(this: InstanceType<Provider['IdToken']>, context) {
    const accessTokenEntity = Provider.ctx?.oidc.entities.AccessToken
    const value = accessTokenEntity && values.get(accessTokenEntity)
    if (context.use === 'idtoken' && value) this.set('at_hash', value)
    return issue.call(this, context)
  }
}
