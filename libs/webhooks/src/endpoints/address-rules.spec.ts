import { isMetadataAddress, isPublicAddress, parseAddress } from './address-rules.js';

const isPublic = (text: string): boolean => isPublicAddress(parseAddress(text));
const isMetadata = (text: string): boolean => isMetadataAddress(parseAddress(text));

describe('isPublicAddress', () => {
  it.each([
    '1.1.1.1',
    '140.82.112.5',
    '2606:4700:4700::1111',
    '2a00:1450:4001:800::200e',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
  ])('takes %s', (address) => {
    expect(isPublic(address)).toBe(true);
  });

  it.each([
    ['this network', '0.0.0.0', '0.1.2.3', '::'],
    ['loopback', '127.0.0.1', '127.255.255.254', '::1'],
    ['private', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fd12::1'],
    ['shared', '100.64.0.1', '100.127.255.255'],
    ['link-local', '169.254.1.1', 'fe80::1', 'febf::1', 'fec0::1'],
    ['protocol assignments', '192.0.0.1', '192.0.0.8', '2001::1', '2001:20::1'],
    ['documentation', '192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
    ['benchmarking', '198.18.0.1', '198.19.255.255', '2001:2::1'],
    ['relays', '192.88.99.1', '192.31.196.1', '192.52.193.1', '192.175.48.1'],
    ['multicast', '224.0.0.1', '239.255.255.255', 'ff02::1'],
    ['reserved', '240.0.0.1', '255.255.255.255', '100::1', '4000::1', 'abcd::1', '5f00::1'],
    ['mapped', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:7f00:1', '::ffff:0:127.0.0.1'],
    ['compatible', '::127.0.0.1', '::8.8.8.8', '::a00:1'],
    ['NAT64', '64:ff9b::127.0.0.1', '64:ff9b::a00:1', '64:ff9b:1::808:808', '64:ff9b:1:a00::1'],
    ['6to4', '2002:7f00:1::1', '2002:a00:1::1', '2002:808:808::1'],
    ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2', '2001::f5ff:fffe'],
  ])('takes nothing that is %s', (...[, ...addresses]) => {
    expect(addresses.filter(isPublic)).toEqual([]);
  });
});

describe('isMetadataAddress', () => {
  it.each([
    ['as it is', '169.254.169.254', '169.254.170.2', '100.100.100.200', '168.63.129.16', '192.0.0.192'],
    ['in IPv6', 'fd00:ec2::254', 'fd20:ce::254'],
    ['mapped', '::ffff:169.254.169.254', '::ffff:a9fe:a9fe', '::169.254.169.254', '::ffff:0:169.254.169.254'],
    [
      'behind NAT64',
      '64:ff9b::a9fe:a9fe',
      '64:ff9b:1::a9fe:a9fe',
      '64:ff9b:1:a9fe:a9:fe00::',
      '64:ff9b:1:0:a9:fea9:fe00:0',
    ],
    ['behind 6to4', '2002:a9fe:a9fe::1'],
    ['behind Teredo', '2001:0:a9fe:a9fe::1', '2001::5601:5601'],
  ])('knows it %s', (...[, ...addresses]) => {
    expect(addresses.filter((address) => !isMetadata(address))).toEqual([]);
  });

  it.each(['127.0.0.1', '10.0.0.1', '8.8.8.8', '::1', 'fd00::1', '2606:4700:4700::1111'])(
    'leaves %s alone',
    (address) => {
      expect(isMetadata(address)).toBe(false);
    },
  );
});
