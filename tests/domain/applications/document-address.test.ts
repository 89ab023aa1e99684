import { describe, expect, it } from 'vitest'
import { findDocumentUrlProblem } from '../../../src/domain/applications/document-address.ts'

describe('fetching a client document', () => {
  it.each([
    'https://agent.example/client.json',
    'https://agent.example:8443/client?v=1',
    'https://bücher.example/client',
    'https://8.8.8.8/client',
  ])('is allowed from %s', (address) => {
    expect(findDocumentUrlProblem(address, 'production')).toBeNull()
  })

  it.each([
    'http://agent.example/',
    'http://127.0.0.1:8080/',
    'ftp://agent.example/',
    'https://user@agent.example/',
    'https://user:secret@agent.example/',
    'https://agent.example/#part',
    'https://agent.example/ client',
    'https://agent.example\t/client',
    'https://agent.example:22/',
    'https://localhost/',
    'https://LOCALHOST./',
    'https://app.localhost/',
    'https://printer.local/',
    'https://metadata.google.internal/',
    'https://intranet/',
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://10.0.0.1/',
    'https://172.16.0.1/',
    'https://192.168.1.1/',
    'https://100.64.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://169.254.169.254./latest/meta-data',
    'https://0.0.0.0/',
    'https://255.255.255.255/',
    'https://[::1]/',
    'https://[::]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:a9fe:a9fe]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://[fe80::1]/',
    'https://[fd00::1]/',
    'https://①②⑦.⓪.⓪.①/',
    'nonsense',
    '',
  ])('is never allowed from %s', (address) => {
    expect(findDocumentUrlProblem(address, 'production')).toMatch(/\w/)
  })

  it('is allowed from the same machine in development, but from no other private address', () => {
    for (const address of ['http://127.0.0.1:8080/a', 'http://localhost:1/', 'http://[::1]:8080/'])
      expect(findDocumentUrlProblem(address, 'development')).toBeNull()
    for (const address of [
      'http://10.0.0.1/',
      'https://10.0.0.1/',
      'http://a@localhost/',
      'http://agent.example/',
      'http://:a@localhost/',
      'https://localhost/',
      'http://localhost/#part',
      'http://localhost/ a',
      'localhost',
    ])
      expect(findDocumentUrlProblem(address, 'development')).toMatch(/\w/)
  })
})
