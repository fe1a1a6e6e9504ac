#include "engine/variate.h"

/* The ziggurat of exp(-x) in 256 layers of equal area v: Marsaglia and Tsang, J. Stat. Software 5(8), 2000. With
 * r = 7.697117470131... and v = (r + 1) exp(-r), the edges are X[0] = v / exp(-r), X[1] = r, exp(-X[i+1]) =
 * exp(-X[i]) + v / X[i], X[256] = 0. A position of 53 bits in layer i stands for position * scale[i], scale[i] =
 * X[i] 2^-53, and lies under the curve for certain below accept[i] = floor(X[i+1] / X[i] 2^53); height[i] =
 * exp(-X[i+1]). The tables were computed in extended precision from these equations, which tests/unit/test_variate.c
 * checks. */

double cc_exponential_edge(struct cc_random *random, uint32_t layer, uint64_t position)
{
    for (;;) {
        if (layer == 0) /* beyond r the law is the same again, r further out */
            return 0x1.ec9d9297ebb83p+2 + cc_exponential(random);
        double x = (double)position * cc_ziggurat_scale[layer];
        double low = cc_ziggurat_height[layer - 1], high = cc_ziggurat_height[layer];
        if (low + (high - low) * cc_random_unit(random) < cc_exp(-x))
            return x;
        uint64_t bits = cc_random_next(random);
        position = bits >> 11;
        layer = (uint32_t)bits & 255;
        if (position < cc_ziggurat_accept[layer])
            return (double)position * cc_ziggurat_scale[layer];
    }
}

cc_time cc_variate_draw_other(const struct cc_variate *variate, struct cc_random *random)
{
    double sum = 0;
    switch (variate->kind) {
    case CC_LOGNORMAL:
        return cc_nearest_time(cc_exp(variate->a + variate->b * cc_normal_quantile(cc_random_open(random))));
    case CC_ERLANG:
        for (uint32_t i = 0; i < variate->shape; i++)
            sum += cc_exponential(random);
        return cc_nearest_time(variate->a * sum);
    case CC_HYPEREXPONENTIAL: {
        double mean = cc_random_unit(random) < variate->a ? variate->b : variate->c;
        return cc_nearest_time(mean * cc_exponential(random));
    }
    case CC_EMPIRICAL:
        return variate->values[cc_alias_draw(&variate->weights, random)];
    default:
        return cc_variate_draw(variate, random);
    }
}

const uint64_t cc_ziggurat_accept[256] = {
    UINT64_C(0x1c5214272497c7), UINT64_C(0x1cdb4dd9e4e8c0), UINT64_C(0x1dddf62bac0bb1), UINT64_C(0x1e5961c78b267c),
    UINT64_C(0x1ea2a61e122db1), UINT64_C(0x1ed38ca188151e), UINT64_C(0x1ef6aefa57cbe7), UINT64_C(0x1f113e047b0414),
    UINT64_C(0x1f26143450340a), UINT64_C(0x1f36e5a38a59a2), UINT64_C(0x1f44c7665c6fdb), UINT64_C(0x1f50724ece1172),
    UINT64_C(0x1f5a66904fe3c4), UINT64_C(0x1f630000a8e267), UINT64_C(0x1f6a8234b7352b), UINT64_C(0x1f71200f1a241c),
    UINT64_C(0x1f7700a3582acc), UINT64_C(0x1f7c427839e926), UINT64_C(0x1f80fdc336039b), UINT64_C(0x1f8545f904db8f),
    UINT64_C(0x1f892aec479607), UINT64_C(0x1f8cb99e7385f8), UINT64_C(0x1f8ffcda9ae41d), UINT64_C(0x1f92fda9cef1f3),
    UINT64_C(0x1f95c3abd03f79), UINT64_C(0x1f98555b782fb9), UINT64_C(0x1f9ab84415abc5), UINT64_C(0x1f9cf12b79f9bd),
    UINT64_C(0x1f9f04336bbe0b), UINT64_C(0x1fa0f4f47df315), UINT64_C(0x1fa2c693c5c095), UINT64_C(0x1fa47bd48bea00),
    UINT64_C(0x1fa61726d1f214), UINT64_C(0x1fa79ab3508d3d), UINT64_C(0x1fa908656f66a2), UINT64_C(0x1faa61f399ff28),
    UINT64_C(0x1faba8e640060b), UINT64_C(0x1facde9dbf2d73), UINT64_C(0x1fae045767e105), UINT64_C(0x1faf1b31c479a7),
    UINT64_C(0x1fb0243042e1c2), UINT64_C(0x1fb1203e5a9604), UINT64_C(0x1fb21032442853), UINT64_C(0x1fb2f4cf539c3f),
    UINT64_C(0x1fb3cec803e747), UINT64_C(0x1fb49ebfbf69d2), UINT64_C(0x1fb5654c6f37e1), UINT64_C(0x1fb622f7d96943),
    UINT64_C(0x1fb6d840d55594), UINT64_C(0x1fb7859c5b895c), UINT64_C(0x1fb82b76765b54), UINT64_C(0x1fb8ca33174a17),
    UINT64_C(0x1fb9622ed4abfc), UINT64_C(0x1fb9f3bf92b619), UINT64_C(0x1fba7f351a70ad), UINT64_C(0x1fbb04d9a0d18d),
    UINT64_C(0x1fbb84f23fe6a2), UINT64_C(0x1fbbffbf63b7aa), UINT64_C(0x1fbc757d2c4de5), UINT64_C(0x1fbce663c6201b),
    UINT64_C(0x1fbd52a7b9f826), UINT64_C(0x1fbdba7a354408), UINT64_C(0x1fbe1e094ba614), UINT64_C(0x1fbe7d80327ddb),
    UINT64_C(0x1fbed907770cc6), UINT64_C(0x1fbf30c52fc60b), UINT64_C(0x1fbf84dd29488f), UINT64_C(0x1fbfd5710f72b9),
    UINT64_C(0x1fc022a092f365), UINT64_C(0x1fc06c898baff1), UINT64_C(0x1fc0b348184da4), UINT64_C(0x1fc0f6f6bb2415),
    UINT64_C(0x1fc137ae74d6b7), UINT64_C(0x1fc17586dccd10), UINT64_C(0x1fc1b09637bb3c), UINT64_C(0x1fc1e8f18c6756),
    UINT64_C(0x1fc21eacb6d39e), UINT64_C(0x1fc251da79f164), UINT64_C(0x1fc2828c8ffcf0), UINT64_C(0x1fc2b0d3b99f9e),
    UINT64_C(0x1fc2dcbfcbf263), UINT64_C(0x1fc3065fbd7888), UINT64_C(0x1fc32dc1b22819), UINT64_C(0x1fc352f3069371),
    UINT64_C(0x1fc376005a4593), UINT64_C(0x1fc396f599614c), UINT64_C(0x1fc3b5de0591b4), UINT64_C(0x1fc3d2c43e593c),
    UINT64_C(0x1fc3edb248cb62), UINT64_C(0x1fc406b196bbf7), UINT64_C(0x1fc41dcb0d6e0e), UINT64_C(0x1fc433070bcb99),
    UINT64_C(0x1fc4466d702e21), UINT64_C(0x1fc458059dc037), UINT64_C(0x1fc467d6817e83), UINT64_C(0x1fc475e696dee6),
    UINT64_C(0x1fc4823bec237a), UINT64_C(0x1fc48cdc265ec1), UINT64_C(0x1fc495cc852df5), UINT64_C(0x1fc49d11e62de3),
    UINT64_C(0x1fc4a2b0c82e75), UINT64_C(0x1fc4a6ad4e28a0), UINT64_C(0x1fc4a90b41fa34), UINT64_C(0x1fc4a9ce16ea9f),
    UINT64_C(0x1fc4a8f8ebfb8c), UINT64_C(0x1fc4a68e8e07fc), UINT64_C(0x1fc4a29179b433), UINT64_C(0x1fc49d03dd30b1),
    UINT64_C(0x1fc495e799d21b), UINT64_C(0x1fc48d3e457ff6), UINT64_C(0x1fc483092bfbb9), UINT64_C(0x1fc477495001b2),
    UINT64_C(0x1fc469ff6c4504), UINT64_C(0x1fc45b2bf447e8), UINT64_C(0x1fc44acf15112a), UINT64_C(0x1fc438e8b5bfc7),
    UINT64_C(0x1fc4257877fd68), UINT64_C(0x1fc4107db85061), UINT64_C(0x1fc3f9f78e4da8), UINT64_C(0x1fc3e1e4ccab40),
    UINT64_C(0x1fc3c844013349), UINT64_C(0x1fc3ad137497fa), UINT64_C(0x1fc390512a2887), UINT64_C(0x1fc371fadf66f8),
    UINT64_C(0x1fc3520e0b7ec7), UINT64_C(0x1fc33087de9c0f), UINT64_C(0x1fc30d654122ed), UINT64_C(0x1fc2e8a2d2c6b4),
    UINT64_C(0x1fc2c23ce98046), UINT64_C(0x1fc29a2f90630f), UINT64_C(0x1fc27076864fc2), UINT64_C(0x1fc2450d3c83ff),
    UINT64_C(0x1fc217eed505de), UINT64_C(0x1fc1e91620ea43), UINT64_C(0x1fc1b87d9e74b4), UINT64_C(0x1fc1861f770f4b),
    UINT64_C(0x1fc151f57d1943), UINT64_C(0x1fc11bf9298a64), UINT64_C(0x1fc0e42399698a), UINT64_C(0x1fc0aa6d8b1427),
    UINT64_C(0x1fc06ecf5b54b3), UINT64_C(0x1fc03141024589), UINT64_C(0x1fbff1ba0ffdb0), UINT64_C(0x1fbfb031a904c4),
    UINT64_C(0x1fbf6c9e828ae3), UINT64_C(0x1fbf26f6de6175), UINT64_C(0x1fbedf3086b128), UINT64_C(0x1fbe9540c9695f),
    UINT64_C(0x1fbe491c7364de), UINT64_C(0x1fbdfab7cb3f41), UINT64_C(0x1fbdaa068bd66b), UINT64_C(0x1fbd56fbde729c),
    UINT64_C(0x1fbd018a548f9f), UINT64_C(0x1fbca9a3e140d5), UINT64_C(0x1fbc4f39d22995), UINT64_C(0x1fbbf23cc8029e),
    UINT64_C(0x1fbb929caea4e2), UINT64_C(0x1fbb3048b49145), UINT64_C(0x1fbacb2f41ec17), UINT64_C(0x1fba633deee286),
    UINT64_C(0x1fb9f861796f27), UINT64_C(0x1fb98a85ba7204), UINT64_C(0x1fb919959a0f74), UINT64_C(0x1fb8a57b0347f6),
    UINT64_C(0x1fb82e1ed6ba09), UINT64_C(0x1fb7b368dc7da8), UINT64_C(0x1fb7353fb50799), UINT64_C(0x1fb6b388c9010a),
    UINT64_C(0x1fb62e2837fe59), UINT64_C(0x1fb5a500c5fdaa), UINT64_C(0x1fb517f3c793fd), UINT64_C(0x1fb486e10cacd7),
    UINT64_C(0x1fb3f1a6c9be0c), UINT64_C(0x1fb358217f4e18), UINT64_C(0x1fb2ba2bdfa84b), UINT64_C(0x1fb2179eb2963a),
    UINT64_C(0x1fb17050b6f1fb), UINT64_C(0x1fb0c41681dff4), UINT64_C(0x1fb012c25b7a13), UINT64_C(0x1faf5c2418b07e),
    UINT64_C(0x1faea008f21d6d), UINT64_C(0x1fadde3b5782c1), UINT64_C(0x1fad1682bf9fe9), UINT64_C(0x1fac48a3740585),
    UINT64_C(0x1fab745e588232), UINT64_C(0x1faa9970adb858), UINT64_C(0x1fa9b793ce5fef), UINT64_C(0x1fa8ce7ce6a875),
    UINT64_C(0x1fa7dddca51ec4), UINT64_C(0x1fa6e55ee46783), UINT64_C(0x1fa5e4aa4d097d), UINT64_C(0x1fa4db5fee6aa3),
    UINT64_C(0x1fa3c91ace0683), UINT64_C(0x1fa2ad6f6bc4fc), UINT64_C(0x1fa187eb3a3339), UINT64_C(0x1fa058140936c0),
    UINT64_C(0x1f9f1d6761a1ce), UINT64_C(0x1f9dd759cfd803), UINT64_C(0x1f9c85561b717a), UINT64_C(0x1f9b26bc697f00),
    UINT64_C(0x1f99bae146ba81), UINT64_C(0x1f98410c968892), UINT64_C(0x1f96b878633892), UINT64_C(0x1f95204f8b64db),
    UINT64_C(0x1f9377ac47afd8), UINT64_C(0x1f91bd968358e1), UINT64_C(0x1f8ff102013e17), UINT64_C(0x1f8e10cc45d04a),
    UINT64_C(0x1f8c1bba3d39ad), UINT64_C(0x1f8a10759374fa), UINT64_C(0x1f87ed89b24262), UINT64_C(0x1f85b16056b913),
    UINT64_C(0x1f835a3dad9162), UINT64_C(0x1f80e63be21139), UINT64_C(0x1f7e5346079f8a), UINT64_C(0x1f7b9f12413ff5),
    UINT64_C(0x1f78c71b045cc0), UINT64_C(0x1f75c8974d09d7), UINT64_C(0x1f72a07190f13a), UINT64_C(0x1f6f4b3d32e4f4),
    UINT64_C(0x1f6bc52a2b02e7), UINT64_C(0x1f6809f6859679), UINT64_C(0x1f6414dd445772), UINT64_C(0x1f5fe08210d08c),
    UINT64_C(0x1f5b66d9099996), UINT64_C(0x1f56a109c3ecc0), UINT64_C(0x1f51874c5c3322), UINT64_C(0x1f4c10bf1d3a0f),
    UINT64_C(0x1f463332d788fb), UINT64_C(0x1f3fe2eb6e694c), UINT64_C(0x1f39125157c106), UINT64_C(0x1f31b18fb95532),
    UINT64_C(0x1f29ae1951a874), UINT64_C(0x1f20f20c452571), UINT64_C(0x1f176369f1f77a), UINT64_C(0x1f0ce313a796b7),
    UINT64_C(0x1f014b76ddd4a4), UINT64_C(0x1ef46eca361cd0), UINT64_C(0x1ee614ae6e5688), UINT64_C(0x1ed5f6f08799ce),
    UINT64_C(0x1ec3bd07b46557), UINT64_C(0x1eaef5b14ef09e), UINT64_C(0x1e970daf08ae3e), UINT64_C(0x1e7b42096f046c),
    UINT64_C(0x1e5a8b177cb7a3), UINT64_C(0x1e337b71d47837), UINT64_C(0x1e0409dfac9dc9), UINT64_C(0x1dc934dd172c71),
    UINT64_C(0x1d7e5bd56b18b3), UINT64_C(0x1d1bfe2d5c3973), UINT64_C(0x1c951d0f88651b), UINT64_C(0x1bd127f719447c),
    UINT64_C(0x1a9bb7320eb0ae), UINT64_C(0x186ef58e3f3c10), UINT64_C(0x137d5bd79c317f), UINT64_C(0x00000000000000),
};

const double cc_ziggurat_scale[256] = {
    0x1.164ec94bf5dc1p-50, 0x1.ec9d9297ebb83p-51, 0x1.bc39e51da71fcp-51, 0x1.9e9dc0d487b85p-51, 0x1.8939fe6f2ed19p-51,
    0x1.78750d6eac62fp-51, 0x1.6aa676d4bbf72p-51, 0x1.5ee7ae17313d2p-51, 0x1.54ad83ccf73f6p-51, 0x1.4b9d7cd4751d1p-51,
    0x1.4379766e41362p-51, 0x1.3c14ec7c8b861p-51, 0x1.354ee27ccf75ep-51, 0x1.2f0e38a4411fp-51,  0x1.293f5ae49aaa5p-51,
    0x1.23d2bb659919fp-51, 0x1.1ebbca0c9fa7cp-51, 0x1.19f03bcb3c2d6p-51, 0x1.156786775442ap-51, 0x1.111a8034392a6p-51,
    0x1.0d031785d48ap-51,  0x1.091c1cdcba54ep-51, 0x1.056118bf58eefp-51, 0x1.01ce2b362ec2ep-51, 0x1.fcbfe43f6c6e5p-52,
    0x1.f626e9791f7a7p-52, 0x1.efcc26750ea4ap-52, 0x1.e9aaf2af383c1p-52, 0x1.e3bf26e19096p-52,  0x1.de050af4ef19fp-52,
    0x1.d87946fec3becp-52, 0x1.d318d6b2738c5p-52, 0x1.cde0fecf2a97fp-52, 0x1.c8cf442c8c8f4p-52, 0x1.c3e1641c2e0a7p-52,
    0x1.bf154de4bef77p-52, 0x1.ba691d276da5ep-52, 0x1.b5db15091ea0fp-52, 0x1.b1699c003b60ap-52, 0x1.ad13382d845c4p-52,
    0x1.a8d68c2ad86eap-52, 0x1.a4b2543e84c3bp-52, 0x1.a0a563e49f178p-52, 0x1.9caea3a24d9eap-52, 0x1.98cd0f18d1ad8p-52,
    0x1.94ffb34fc2a0ep-52, 0x1.9145ad2f37544p-52, 0x1.8d9e2823b3695p-52, 0x1.8a085ce695babp-52, 0x1.8683906687342p-52,
    0x1.830f12cc0bec3p-52, 0x1.7faa3e96e1412p-52, 0x1.7c5477d1476d3p-52, 0x1.790d2b56b71f9p-52, 0x1.75d3ce2bd71c3p-52,
    0x1.72a7dce5cd218p-52, 0x1.6f88db1f42507p-52, 0x1.6c7652f9a7b1ep-52, 0x1.696fd4a9748eep-52, 0x1.6674f60c3f432p-52,
    0x1.63855247b2e94p-52, 0x1.60a0897081879p-52, 0x1.5dc640388bd9ep-52, 0x1.5af61fa38e107p-52, 0x1.582fd4c1b4461p-52,
    0x1.5573106f8a75ap-52, 0x1.52bf871acaab2p-52, 0x1.5014f08b99508p-52, 0x1.4d7307b1cb127p-52, 0x1.4ad98a75da14cp-52,
    0x1.4848398d39432p-52, 0x1.45bed851bc92cp-52, 0x1.433d2c9bd42f8p-52, 0x1.40c2fe9f5eeadp-52, 0x1.3e5018caddedp-52,
    0x1.3be447a8d8b83p-52, 0x1.397f59c345143p-52, 0x1.37211f88ca856p-52, 0x1.34c96b33bc965p-52, 0x1.327810b2aa7dp-52,
    0x1.302ce59265965p-52, 0x1.2de7c0e962d7p-52,  0x1.2ba87b445db51p-52, 0x1.296eee942532bp-52, 0x1.273af61c7daa6p-52,
    0x1.250c6e6403bbap-52, 0x1.22e33524fe55p-52,  0x1.20bf293f0f4a2p-52, 0x1.1ea02aa9b337p-52,  0x1.1c861a6782a5ap-52,
    0x1.1a70da7a2782p-52,  0x1.18604dd6fae9ep-52, 0x1.1654585c404c1p-52, 0x1.144cdec6f3a2bp-52, 0x1.1249c6a92154ap-52,
    0x1.104af660befcep-52, 0x1.0e50550efcfb7p-52, 0x1.0c59ca900946fp-52, 0x1.0a673f733c819p-52, 0x1.08789cf3aad0fp-52,
    0x1.068dccf1126dbp-52, 0x1.04a6b9e9224a3p-52, 0x1.02c34ef11391bp-52, 0x1.00e377af911d4p-52, 0x1.fe0e40add09d8p-53,
    0x1.fa5c6b3efe1e5p-53, 0x1.f6b1498515edp-53,  0x1.f30cb6ea0bc7fp-53, 0x1.ef6e8fc5b9168p-53, 0x1.ebd6b154a7678p-53,
    0x1.e844f9af4237fp-53, 0x1.e4b947c16a452p-53, 0x1.e1337b426509bp-53, 0x1.ddb374ad2357fp-53, 0x1.da391538da50ap-53,
    0x1.d6c43ed1ea3ffp-53, 0x1.d354d4130f2adp-53, 0x1.cfeab83ed718p-53,  0x1.cc85cf395a56cp-53, 0x1.c925fd82323fbp-53,
    0x1.c5cb282eab1a4p-53, 0x1.c27534e42e02dp-53, 0x1.bf2409d2dfd85p-53, 0x1.bbd78db07261p-53,  0x1.b88fa7b324fb6p-53,
    0x1.b54c3f8cf2542p-53, 0x1.b20d3d66e8bb5p-53, 0x1.aed289dcaacffp-53, 0x1.ab9c0df81657ap-53, 0x1.a869b32d0f30fp-53,
    0x1.a53b63556c69p-53,  0x1.a21108ad0592dp-53, 0x1.9eea8dcdde951p-53, 0x1.9bc7ddac7035dp-53, 0x1.98a8e3940bbf4p-53,
    0x1.958d8b235828ap-53, 0x1.9275c048e73e1p-53, 0x1.8f616f3fe1513p-53, 0x1.8c50848cc6094p-53, 0x1.8942ecfa40f54p-53,
    0x1.86389596108e7p-53, 0x1.83316badfe62ap-53, 0x1.802d5ccce7277p-53, 0x1.7d2c56b7d17f7p-53, 0x1.7a2e476b1240ap-53,
    0x1.77331d177d13p-53,  0x1.743ac61fa041cp-53, 0x1.714531150a9fbp-53, 0x1.6e524cb59a608p-53, 0x1.6b6207e8d3cdfp-53,
    0x1.687451bd3ebeep-53, 0x1.65891965c9b8cp-53, 0x1.62a04e3731a2ep-53, 0x1.5fb9dfa56cf26p-53, 0x1.5cd5bd4119335p-53,
    0x1.59f3d6b4e9cf9p-53, 0x1.57141bc316f27p-53, 0x1.54367c42cb5f8p-53, 0x1.515ae81d900fbp-53, 0x1.4e814f4cb45eap-53,
    0x1.4ba9a1d6b18a4p-53, 0x1.48d3cfcc883c4p-53, 0x1.45ffc94716ca7p-53, 0x1.432d7e6466cdp-53,  0x1.405cdf44f09c4p-53,
    0x1.3d8ddc08d336dp-53, 0x1.3ac064ccfeffcp-53, 0x1.37f469a851afp-53,  0x1.3529daa8a1ba1p-53, 0x1.3260a7cfb7611p-53,
    0x1.2f98c11031721p-53, 0x1.2cd2164a53b5dp-53, 0x1.2a0c9748bcdaap-53, 0x1.274833bd0189fp-53, 0x1.2484db3c2a329p-53,
    0x1.21c27d3b10e05p-53, 0x1.1f01090a9c4e2p-53, 0x1.1c406dd3d5283p-53, 0x1.19809a93d2396p-53, 0x1.16c17e1777ffbp-53,
    0x1.140306f707dbep-53, 0x1.114523917ac15p-53, 0x1.0e87c207a2f66p-53, 0x1.0bcad03710137p-53, 0x1.090e3bb4b0072p-53,
    0x1.0651f1c7276f8p-53, 0x1.0395df60db162p-53, 0x1.00d9f119a3cd9p-53, 0x1.fc3c26504a9a1p-54, 0x1.f6c462b57feb5p-54,
    0x1.f14c6e202949fp-54, 0x1.ebd41e5e21b62p-54, 0x1.e65b483cf1044p-54, 0x1.e0e1bf77c31fep-54, 0x1.db6756a429057p-54,
    0x1.d5ebdf1d86b8dp-54, 0x1.d06f28ef0e6fbp-54, 0x1.caf102bc25adbp-54, 0x1.c57139a70d29fp-54, 0x1.bfef99359fe99p-54,
    0x1.ba6beb33f8f89p-54, 0x1.b4e5f794c979bp-54, 0x1.af5d844f224c9p-54, 0x1.a9d255396d261p-54, 0x1.a4442be14884ap-54,
    0x1.9eb2c75ff03bfp-54, 0x1.991de42ad1338p-54, 0x1.93853bdfda244p-54, 0x1.8de8850d0c52ap-54, 0x1.884772f2be1ecp-54,
    0x1.82a1b53fed599p-54, 0x1.7cf6f7c7e8172p-54, 0x1.7746e23077973p-54, 0x1.71911797990bbp-54, 0x1.6bd5362faa944p-54,
    0x1.6612d6d0c68ep-54,  0x1.60498c7dd2ecfp-54, 0x1.5a78e3db8befdp-54, 0x1.54a0629786f4dp-54, 0x1.4ebf86bcd0b93p-54,
    0x1.48d5c5f35e712p-54, 0x1.42e28ca706748p-54, 0x1.3ce53d12162ap-54,  0x1.36dd2e26d8202p-54, 0x1.30c9aa526da4bp-54,
    0x1.2aa9ee123680bp-54, 0x1.247d26538ff2ep-54, 0x1.1e426e93e49e7p-54, 0x1.17f8ceb4bdfap-54,  0x1.119f38749f5afp-54,
    0x1.0b348479b80fcp-54, 0x1.04b76ed6a7558p-54, 0x1.fc4d25d683209p-55, 0x1.ef00ccf5f4faap-55, 0x1.e186678f1735ap-55,
    0x1.d3da24df17c36p-55, 0x1.c5f7bd78c3f89p-55, 0x1.b7da5dddda3c4p-55, 0x1.a97c8be5d5203p-55, 0x1.9ad80552237d2p-55,
    0x1.8be5954d3606fp-55, 0x1.7c9cdda17d019p-55, 0x1.6cf40f0a72bbdp-55, 0x1.5cdf89d024ac3p-55, 0x1.4c515c60bfe21p-55,
    0x1.3b388fe3d6ecap-55, 0x1.2980290da2633p-55, 0x1.170db24d6f67p-55,  0x1.03bf049c65c3cp-55, 0x1.decd8b76dbd98p-56,
    0x1.b38d1ef79b7ccp-56, 0x1.85090fbc27a8p-56,  0x1.522e6e54a2a73p-56, 0x1.19335a95b8dbap-56, 0x1.ad6b2495b4d2bp-57,
    0x1.0589d8b5d4119p-57,
};

const double cc_ziggurat_height[256] = {
    0x1.dc31c329f0b4bp-12, 0x1.fb20af78dfcb9p-11, 0x1.92bb5540c3e25p-10, 0x1.1946ba8e1a324p-9,
    0x1.6d888f3a1feffp-9,  0x1.c58b381cd4b11p-9,  0x1.1073d69574043p-8,  0x1.3fa97cee322fdp-8,
    0x1.7049f37ec362p-8,   0x1.a23e9d4974836p-8,  0x1.d5751fa745dc5p-8,  0x1.04ef2295fd7f9p-7,
    0x1.1fb69edb37671p-7,  0x1.3b0b8c1516f62p-7,  0x1.56e930be416cbp-7,  0x1.734b6e6aa74f5p-7,
    0x1.902ea688fa7bdp-7,  0x1.ad8fa5542c92dp-7,  0x1.cb6b9146e2757p-7,  0x1.e9bfdde89c7cep-7,
    0x1.04452091e02fp-6,   0x1.13e4554725f5fp-6,  0x1.23bc9e1b93a32p-6,  0x1.33cd225315d84p-6,
    0x1.44151ce87f0bep-6,  0x1.5493da6ab0251p-6,  0x1.6548b72a24077p-6,  0x1.76331da87fc96p-6,
    0x1.8752853ec9967p-6,  0x1.98a670f132a48p-6,  0x1.aa2e6e6924e9bp-6,  0x1.bbea150fa587p-6,
    0x1.cdd9054331b0cp-6,  0x1.dffae7a517468p-6,  0x1.f24f6c7af989p-6,   0x1.026b2590dfaeep-5,
    0x1.0bc7a0c7cd651p-5,  0x1.153d09f19b3a1p-5,  0x1.1ecb45ff312d4p-5,  0x1.28723c956c00cp-5,
    0x1.3231d7e3f14aep-5,  0x1.3c0a047ff18ffp-5,  0x1.45fab14266b19p-5,  0x1.5003cf296c5ebp-5,
    0x1.5a25513c5d2cap-5,  0x1.645f2c726a041p-5,  0x1.6eb1579b6af52p-5,  0x1.791bcb4ab089ep-5,
    0x1.839e81c3a396bp-5,  0x1.8e3976e80776dp-5,  0x1.98eca827b7c4cp-5,  0x1.a3b81471bf138p-5,
    0x1.ae9bbc26a8084p-5,  0x1.b997a10bed985p-5,  0x1.c4abc640721e9p-5,  0x1.cfd83031e794ap-5,
    0x1.db1ce4931581p-5,   0x1.e679ea52eb2e5p-5,  0x1.f1ef49944e834p-5,  0x1.fd7d0ba699676p-5,
    0x1.04919d7f5c817p-4,  0x1.0a70f19871b3bp-4,  0x1.105c88756ca5p-4,   0x1.165468f755392p-4,
    0x1.1c589a86fa34p-4,   0x1.22692512c9d8cp-4,  0x1.2886110ce057p-4,   0x1.2eaf676948dd1p-4,
    0x1.34e5319c6e718p-4,  0x1.3b277999b9f9ep-4,  0x1.417649d25b10ep-4,  0x1.47d1ad343985cp-4,
    0x1.4e39af290d929p-4,  0x1.54ae5b959d036p-4,  0x1.5b2fbed91bb3ep-4,  0x1.61bde5ccadef7p-4,
    0x1.6858ddc30b62p-4,   0x1.6f00b488416b6p-4,  0x1.75b5786193c1ep-4,  0x1.7c77380d7a6f3p-4,
    0x1.834602c3bc4bap-4,  0x1.8a21e835a533bp-4,  0x1.910af88e574b9p-4,  0x1.9801447336b7p-4,
    0x1.9f04dd046f428p-4,  0x1.a615d3dd938b7p-4,  0x1.ad343b1655465p-4,  0x1.b460254356548p-4,
    0x1.bb99a5771268fp-4,  0x1.c2e0cf42e10afp-4,  0x1.ca35b6b80fd57p-4,  0x1.d198706914dd7p-4,
    0x1.d909116ad9398p-4,  0x1.e087af561bafbp-4,  0x1.e8146048eb9ccp-4,  0x1.efaf3ae83c33cp-4,
    0x1.f758566190414p-4,  0x1.ff0fca6cbea8dp-4,  0x1.036ad7a6e7f04p-3,  0x1.07550eeb7a5bep-3,
    0x1.0b4697b54b62fp-3,  0x1.0f3f7efec172p-3,   0x1.133fd20c9712fp-3,  0x1.17479e6f0ae78p-3,
    0x1.1b56f2031d666p-3,  0x1.1f6ddaf3dca65p-3,  0x1.238c67bbbe878p-3,  0x1.27b2a7260994p-3,
    0x1.2be0a8504cf34p-3,  0x1.30167aabe7d6ep-3,  0x1.34542dffa0cafp-3,  0x1.3899d2694d5c9p-3,
    0x1.3ce7785f8a905p-3,  0x1.413d30b386a9ap-3,  0x1.459b0c92dccc6p-3,  0x1.4a011d8983096p-3,
    0x1.4e6f7583cb6fap-3,  0x1.52e626d078c49p-3,  0x1.57654422e78f5p-3,  0x1.5bece0954c2b6p-3,
    0x1.607d0fab06a31p-3,  0x1.6515e5530d1acp-3,  0x1.69b775ea6da28p-3,  0x1.6e61d63ee84eap-3,
    0x1.73151b91a2839p-3,  0x1.77d15b99f46fep-3,  0x1.7c96ac8851baep-3,  0x1.816525094e7e6p-3,
    0x1.863cdc48c1af9p-3,  0x1.8b1de9f5062d5p-3,  0x1.900866425bb79p-3,  0x1.94fc69ee692a1p-3,
    0x1.99fa0e43e1623p-3,  0x1.9f016d1e4c512p-3,  0x1.a412a0edf5cbcp-3,  0x1.a92dc4bc03c49p-3,
    0x1.ae52f42eb5b0bp-3,  0x1.b3824b8dcef3ep-3,  0x1.b8bbe7c72e4a5p-3,  0x1.bdffe67394435p-3,
    0x1.c34e65db9afeep-3,  0x1.c8a784fce1802p-3,  0x1.ce0b638f6d09fp-3,  0x1.d37a220b431fdp-3,
    0x1.d8f3e1ae3eeb8p-3,  0x1.de78c48224f39p-3,  0x1.e408ed62f83a7p-3,  0x1.e9a48005940f2p-3,
    0x1.ef4ba0fe8e09bp-3,  0x1.f4fe75c963e7ep-3,  0x1.fabd24cff9354p-3,  0x1.0043eab93476ap-2,
    0x1.032f580797c2cp-2,  0x1.0620ef05d90d2p-2,  0x1.0918c4ee93e13p-2,  0x1.0c16ef88f5333p-2,
    0x1.0f1b852d9a66cp-2,  0x1.12269ccba9fbap-2,  0x1.15384dee291efp-2,  0x1.1850b0c191982p-2,
    0x1.1b6fde19abc5ap-2,  0x1.1e95ef77b09dbp-2,  0x1.21c2ff10b7effp-2,  0x1.24f727d4776fdp-2,
    0x1.2832857457629p-2,  0x1.2b75346ae2262p-2,  0x1.2ebf52039427p-2,   0x1.3210fc6312435p-2,
    0x1.356a528fcd0ddp-2,  0x1.38cb747b17defp-2,  0x1.3c34830abb285p-2,  0x1.3fa5a0230a14ep-2,
    0x1.431eeeb1841e2p-2,  0x1.46a092b80beefp-2,  0x1.4a2ab158bdad3p-2,  0x1.4dbd70e26f91dp-2,
    0x1.5158f8dde89f5p-2,  0x1.54fd721bda3e7p-2,  0x1.58ab06c3aa9efp-2,  0x1.5c61e2631ee6cp-2,
    0x1.602231fef5876p-2,  0x1.63ec2424827e4p-2,  0x1.67bfe8fc60d9fp-2,  0x1.6b9db25e4e99cp-2,
    0x1.6f85b3e649e9dp-2,  0x1.7378230b08deap-2,  0x1.77753735e72e3p-2,  0x1.7b7d29dc6801ep-2,
    0x1.7f90369b6ce59p-2,  0x1.83ae9b5446138p-2,  0x1.87d8984bc3f8cp-2,  0x1.8c0e704b75d39p-2,
    0x1.905068c545d04p-2,  0x1.949ec9f9a811p-2,   0x1.98f9df2097ba8p-2,  0x1.9d61f695a3792p-2,
    0x1.a1d76207521f4p-2,  0x1.a65a76aa3014p-2,   0x1.aaeb8d6fdf6e5p-2,  0x1.af8b03428ef5fp-2,
    0x1.b43939454806fp-2,  0x1.b8f6951990b88p-2,  0x1.bdc3812aeeeb5p-2,  0x1.c2a06d00ea583p-2,
    0x1.c78dcd983fb6p-2,   0x1.cc8c1dc40e092p-2,  0x1.d19bde97e1a0bp-2,  0x1.d6bd97db9ed7ap-2,
    0x1.dbf1d88a7210cp-2,  0x1.e139375e137fcp-2,  0x1.e6945367dd351p-2,  0x1.ec03d4b969d9p-2,
    0x1.f1886d1eb424dp-2,  0x1.f722d8ebfc5fap-2,  0x1.fcd3dfe214576p-2,  0x1.014e2b160f324p-1,
    0x1.043e8ebd26548p-1,  0x1.073b931ee3b7dp-1,  0x1.0a45b8854d02ap-1,  0x1.0d5d8812b1e2bp-1,
    0x1.108394a1cc38dp-1,  0x1.13b87bc33169cp-1,  0x1.16fce6dce6feep-1,  0x1.1a518c71e3b25p-1,
    0x1.1db7319877b89p-1,  0x1.212eaba813ec8p-1,  0x1.24b8e228c50a3p-1,  0x1.2856d111132bdp-1,
    0x1.2c098b61f4f24p-1,  0x1.2fd23e345da5ep-1,  0x1.33b23450e6318p-1,  0x1.37aada708ddd9p-1,
    0x1.3bbdc44e1d114p-1,  0x1.3fecb2bb18b8p-1,   0x1.44399afa8e125p-1,  0x1.48a6afb8ee069p-1,
    0x1.4d366c151f8afp-1,  0x1.51eba1578899ap-1,  0x1.56c9882da8773p-1,  0x1.5bd3d694cac75p-1,
    0x1.610edc1a7af66p-1,  0x1.667fa6d4f5c06p-1,  0x1.6c2c3498418c6p-1,  0x1.721bb5ba94b63p-1,
    0x1.7856e9b09d47ep-1,  0x1.7ee8a2d243126p-1,  0x1.85de87806c5b8p-1,  0x1.8d4a376d3d22fp-1,
    0x1.95431c455aa39p-1,  0x1.9de9715556d9bp-1,  0x1.a76baa562fae7p-1,  0x1.b210f0ee67f2ap-1,
    0x1.be5007beb7b27p-1,  0x1.cd0a65081fff1p-1,  0x1.e0545e5881137p-1,  0x1p+0,
};
