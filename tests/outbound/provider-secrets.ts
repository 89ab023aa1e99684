/** The credentials that the stubs accept. */
export const providerSecrets = { token: 'a-secret-token/+=', accessKeySecret: 'an+access/key=secret' }
export const credentials = { accessKeyId: 'AKIDEXAMPLE', twilio: 'AC0123456789' }

/** Percent-encodes a text according to RFC 3986, as Alibaba Cloud requires. */
export const encodeForAliyun = (text: string) =>
  Buffer.from(text, 'utf8').reduce((encoded, byte) => {
    const character = String.fromCharCode(byte)
    return (
      encoded +
      (/[\w.~-]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
    )
  }, '')

export const bucketSecrets = {
  accessKeyId: 'AKIDEXAMPLE',
  accessSecretKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  azureAccount: 'examplestore',
  azureKey: 'c29tZSBieXRlcyB0aGF0IG9ubHkgdHdvIG9mIHVzIGtub3c=',
}
