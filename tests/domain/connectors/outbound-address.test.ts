import { describe, expect, it } from 'vitest'
import { findOutboundUrlProblem } from '../../../src/domain/connectors/outbound-address.ts'

const PRIVATE = 'must not lead to a private address'

describe('an outbound address', () => {
  it.each([
    'https://hooks.example.com/vestibule?x=1',
    'https://hooks.example.com.:8443/',
    'https://93.184.216.34/',
    'https://100.63.255.255/',
    'https://172.15.0.1/',
    'https://172.32.0.1/',
    'https://192.169.0.1/',
    'https://[2606:4700:4700::1111]/',
    'https://[2001:4860:4860::8888]/',
    'https://[2001:200::1]/',
    'https://[3fff:1000::1]/',
    'https://223.255.255.255/',
    'https://localhost.example.com/',
  ])('is allowed: %s', (address) => {
    expect(findOutboundUrlProblem(address, { allowPrivateTargets: false })).toBeNull()
  })

  it.each([
    ['http://hooks.example.com/', 'must use https'],
    ['ftp://hooks.example.com/', 'must use https'],
    ['javascript:alert(1)', 'must use https'],
    ['hooks.example.com', 'is not a URL'],
    ['https://', 'is not a URL'],
    ['https://hooks.example.com/\n', 'is not a URL'],
    ['https://me:secret@hooks.example.com/', 'must not contain a user name or a password'],
    ['https://hooks.example.com:22/', 'must not lead to the port of another service'],
    ['https://hooks.example.com:1023/', 'must not lead to the port of another service'],
    // Spellings of the loopback address
    ['https://localhost/', PRIVATE],
    ['https://LOCALHOST./', PRIVATE],
    ['https://a.localhost/', PRIVATE],
    ['https://127.0.0.1/', PRIVATE],
    ['https://127.1/', PRIVATE],
    ['https://2130706433/', PRIVATE],
    ['https://0x7f.0.0.1/', PRIVATE],
    ['https://0x7f000001/', PRIVATE],
    ['https://0177.0.0.01/', PRIVATE],
    ['https://%31%32%37.0.0.1/', PRIVATE],
    ['https://①②⑦.0.0.1/', PRIVATE],
    ['https://127.0.0.1./', PRIVATE],
    ['https://[::1]/', PRIVATE],
    ['https://[0:0:0:0:0:0:0:1]/', PRIVATE],
    // "This network", link-local, private, carrier-grade NAT and reserved addresses
    ['https://0.0.0.0/', PRIVATE],
    ['https://0/', PRIVATE],
    ['https://[::]/', PRIVATE],
    ['https://169.254.169.254/latest/meta-data/', PRIVATE],
    ['https://[fe80::1]/', PRIVATE],
    ['https://[febf::1]/', PRIVATE],
    ['https://10.1.2.3/', PRIVATE],
    ['https://172.16.0.1/', PRIVATE],
    ['https://172.31.255.255/', PRIVATE],
    ['https://192.168.1.1/', PRIVATE],
    ['https://100.64.0.1/', PRIVATE],
    ['https://100.127.255.255/', PRIVATE],
    ['https://198.19.0.1/', PRIVATE],
    ['https://224.0.0.1/', PRIVATE],
    ['https://255.255.255.255/', PRIVATE],
    ['https://[fc00::1]/', PRIVATE],
    ['https://[fd12:3456::1]/', PRIVATE],
    ['https://[ff02::1]/', PRIVATE],
    // IPv4 addresses embedded in IPv6 addresses
    ['https://[::ffff:127.0.0.1]/', PRIVATE],
    ['https://[::ffff:a00:1]/', PRIVATE],
    ['https://[::7f00:1]/', PRIVATE],
    ['https://[64:ff9b::7f00:1]/', PRIVATE],
    ['https://[2002:7f00:1::]/', PRIVATE],
    ['https://[2001:0:7f00:1::]/', PRIVATE],
    ['https://[2001:db8::1]/', PRIVATE],
    ['https://[3fff::1]/', PRIVATE],
    ['https://[4000::1]/', PRIVATE],
    ['https://[1fff::1]/', PRIVATE],
    ['https://[5f00::1]/', PRIVATE],
    ['https://[2620:4f:8000::1]/', PRIVATE],
    ['https://[2001:1ff::1]/', PRIVATE],
    ['https://192.175.48.1/', PRIVATE],
    ['https://240.0.0.1/', PRIVATE],
    ['https://[::127.0.0.1]/', PRIVATE],
    ['https://[0:0:0:0:0:ffff:127.0.0.1]/', PRIVATE],
    ['https://[64:ff9b:1::a9fe:a9fe]/', PRIVATE],
    ['https://[fec0::1]/', PRIVATE],
    ['https://[2001:10::1]/', PRIVATE],
    ['https://[fe80::1%25eth0]/', 'is not a URL'],
    // IPv4 addresses in one part, in three parts and in octal
    ['https://017700000001/', PRIVATE],
    ['https://0x7f.1/', PRIVATE],
    ['https://127.0.1/', PRIVATE],
    ['https://0251.0376.0251.0376/', PRIVATE],
    ['https://2852039166/', PRIVATE],
    ['https://256.0.0.1/', 'is not a URL'],
    // Text that only looks like a host
    ['https://example.com@127.0.0.1/', 'must not contain a user name or a password'],
    ['https://example.com:443@[::1]/', 'must not contain a user name or a password'],
    ['https://127.0.0.1#@example.com/', PRIVATE],
    ['https://127.0.0.1\\@example.com/', PRIVATE],
    ['https:127.0.0.1/', PRIVATE],
    ['https:///127.0.0.1/', PRIVATE],
    ['https://example.com\t@127.0.0.1/', 'is not a URL'],
    ['https://127.0.0.1%2f.example.com/', 'is not a URL'],
    // Characters that the URL parser normalizes
    ['https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/', PRIVATE],
    ['https://loc\u00adalhost/', PRIVATE],
    ['https://127。0。0。1/', PRIVATE],
    ['https://１２７.0.0.1/', PRIVATE],
    // Host names of this machine or network
    ['https://localhost../', PRIVATE],
    ['https://LocalHost.LocalDomain/', PRIVATE],
    ['https://1.0.0.127.in-addr.arpa/', PRIVATE],
    ['https://intranet/', PRIVATE],
    ['https://printer.local/', PRIVATE],
    ['https://metadata.google.internal/', PRIVATE],
    ['https://router.home.arpa/', PRIVATE],
  ])('[ASVS-13.2.4] is rejected for %s, because it %s', (address, problem) => {
    expect(findOutboundUrlProblem(address, { allowPrivateTargets: false })).toBe(problem)
  })

  it.each([
    ['http://127.0.0.1:9999/', null],
    ['http://localhost/', null],
    ['https://10.0.0.1/', null],
    ['ftp://127.0.0.1/', 'must use https'],
    ['http://me:secret@127.0.0.1/', 'must not contain a user name or a password'],
  ])('is allowed at a private address if the tenant permits it: %s', (address, problem) => {
    expect(findOutboundUrlProblem(address, { allowPrivateTargets: true })).toBe(problem)
  })
})
