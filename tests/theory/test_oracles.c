/* Queueing and cache theory as the judge: every row of oracles.csv is either measured here or named, with the reason,
 * among those that the model cannot express.
 *
 * A case runs some replications and serves all rows whose id begins with its prefix; what a row asks is found by its
 * quantity. A row is accepted when the mean over the replications lies within 4 standard errors of the oracle, within
 * what the histogram may blur a quantile by, or, for what is counted exactly, within the edges of the window. With any
 * argument the program prints every row. */
#include "cachecast.h"
#include "model/sim.h"
#include "support/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT 2048
#define BLUR (1.0 / 256) /* of a quantile from the histogram */
#define EDGES 2e-6       /* of a ratio or rate whose window cuts a cycle */

/* One time unit of the theory is one second. Single quotes stand for double ones; 5 % of the time is warm-up unless the
 * case starts cold. */
struct test_case {
    const char *prefix;
    double duration; /* s */
    int replications;
    bool cold;
    const char *arrivals, *keys, *rest;
};

#define EXP1 "'instances':{'cpu':{'dist':'exponential','mean':'1s'}}"
#define EXP(cores) "'instances':{'cores':" cores ",'cpu':{'dist':'exponential','mean':'1s'}}"
#define FIXED1 "'instances':{'cpu':'1s'}"
#define POISSON(rate) "'process':'poisson','rate':" rate
#define PACED(rate) "'process':'paced','rate':" rate
#define LOSS(rate, limit) POISSON(rate) ",'max_in_flight':" limit
#define THINK(clients, mean) "'process':'closed','clients':" clients ",'think':{'dist':'exponential','mean':'" mean "'}"
#define EXP_US "'instances':{'cpu':{'dist':'exponential','mean':'31.3us'}}"
#define FOUR "'instances':{'count':4,'balancer':'random'}"
#define L1(ttl) "'l1':{'ttl':'" ttl "'}"
/* Random phases, so that what the edges of the window cut averages out. */
#define STATIONARY "'l1':{'ttl':'2s','start':'warm','phase':'random'}"
#define LOAD(time) "'origin':{'load':'" time "'}"
#define UNIFORM(count) "'count':" count
#define WEIGHTS(list) "'popularity':'weights','weights':[" list "]"
#define ZIPF(count, s) "'popularity':'zipf','count':" count ",'s':" s
#define TIERS(ttl2) "'l1':{'ttl':'2s'},'l2':{'ttl':'" ttl2 "'}"
/* Phases of the L1s are stationary: random at the start, then a warm-up. */
#define TIERS4 \
    FOUR ",'l1':{'ttl':'2s','start':'warm','phase':'random'},'l2':{'ttl':'3s','start':'warm','phase':'random'}"
#define PUBLISHED(rate) "'publications':{'rate':" rate "}"
#define SCRAPED_OFTEN "'observe':{'scrape':'50ms','window':'30s'}"
#define INCREMENTING                                                                                \
    "'count':1},'mix':{'increment':1},'increments':{'method':'ifeq','think':{'dist':'exponential'," \
    "'mean':'1s'},'again':{'dist':'exponential','mean':'1s'}"
#define LOCKSTEP "'count':1},'mix':{'increment':1},'increments':{'method':'ifeq','think':'1s'"
#define WRITERS(clients) THINK(clients, "1s")
/* Beside the keys: the generator closes both. */
#define RETRIED(count) "'count':1},'retry':{'count':" count
#define CAPACITY(entries, policy) "'l1':{'ttl':null,'capacity':" entries ",'eviction':'" policy "'}"

/* Three stations in a circle, first come, first served: the instance's core, the origin's core and the store's thread,
 * whose times vary as much as exponential ones. A SET and the connection's other steps cost nothing. */
#define CIRCLE                                                                                           \
    "'instances':{'cpu':{'dist':'exponential','mean':'20us'}},"                                          \
    "'profile':{'profile':1,'name':'circle','client':{},'server':{'get_ns':10000},'host':{'spread':1}}," \
    "'l2':{'ttl':'0s','connection':{}},'origin':{'load':{'dist':'exponential','mean':'31us'},'cores':1}"

static const struct test_case cases[] = {
    {"MM1-", 1e6, 10, false, POISSON("0.8"), "", EXP1},
    {"MM1K-", 6e5, 10, false, LOSS("0.8", "10"), "", EXP1},
    {"MMc2-", 4e5, 10, false, POISSON("1.6"), "", EXP("2")},
    {"MMc4-", 2e5, 10, false, POISSON("3.2"), "", EXP("4")},
    {"MMc10-", 7e4, 10, false, POISSON("8"), "", EXP("10")},
    {"MMc40-", 2e4, 10, false, POISSON("32"), "", EXP("40")},
    {"ErlB-10-8", 6e4, 10, false, LOSS("8", "10"), "", EXP("10")},
    {"ErlB-4-3.2", 1.5e5, 10, false, LOSS("3.2", "4"), "", EXP("4")},
    {"MD1-0.5-", 9e5, 10, false, POISSON("0.5"), "", FIXED1},
    {"MD1-0.8-", 6e5, 10, false, POISSON("0.8"), "", FIXED1},
    {"MD1-0.9-", 6e5, 10, false, POISSON("0.9"), "", FIXED1},
    {"MG1-E2-", 6e5, 10, false, POISSON("0.8"), "", "'instances':{'cpu':{'dist':'erlang','k':2,'mean':'1s'}}"},
    {"ME21-", 6e5, 10, false, POISSON("0.8"), "", "'instances':{'cpu':{'dist':'erlang','k':2,'mean':'1s'}}"},
    {"MG1-exp-", 6e5, 10, false, POISSON("0.8"), "", EXP1},
    {"MG1-LN2-", 6e5, 10, false, POISSON("0.8"), "", "'instances':{'cpu':{'dist':'lognormal','mean':'1s','scv':2}}"},
    {"MG1-U-", 6e5, 10, false, POISSON("0.8"), "", "'instances':{'cpu':{'dist':'uniform','low':'0s','high':'2s'}}"},
    {"MG1-H2-", 6e5, 10, false, POISSON("0.8"), "",
     "'instances':{'cpu':{'dist':'hyperexponential','share':0.9,'mean':'0.5s','mean_b':'5.5s'}}"},
    /* Fair sharing in small slices, with a service time far from exponential: the mean is insensitive to it. */
    {"MG1PS-", 1.5e5, 10, false, POISSON("0.8"), "",
     "'instances':{'cpu':{'dist':'hyperexponential','share':0.9,'mean':'0.5s','mean_b':'5.5s'}},'host':{'cores':1},"
     "'profile':{'profile':1,'name':'slices','host':{'slice_ns':20000000,'lead_ns':0}}"},
    {"DM1-0.5-", 9e5, 10, false, PACED("0.5"), "", EXP1},
    {"DM1-0.8-", 6e5, 10, false, PACED("0.8"), "", EXP1},
    {"DM1-0.9-", 6e5, 10, false, PACED("0.9"), "", EXP1},
    {"E4M1-", 2.5e5, 10, false, POISSON("3.2"), "",
     "'instances':{'count':4,'balancer':'round_robin','cpu':{'dist':'exponential','mean':'1s'}}"},
    {"MVA3-N1-", 6, 10, false, THINK("1", "50us"), "", CIRCLE},
    {"MVA3-N8-", 3, 10, false, THINK("8", "50us"), "", CIRCLE},
    {"MVA3-N32-", 3, 10, false, THINK("32", "50us"), "", CIRCLE},
    {"MVA3-Xmax", 3, 10, false, THINK("32", "50us"), "", CIRCLE},
    {"MR-N8-c1-S3.13e-05-", 15, 10, false, THINK("8", "98us"), "", EXP_US},
    {"MR-N32-c1-S3.13e-05-", 15, 10, false, THINK("32", "98us"), "", EXP_US},
    {"MR-N20-c1-S1-", 4.5e5, 10, false, THINK("20", "10s"), "", EXP1},
    {"MR-N20-c2-S1-", 2.6e5, 10, false, THINK("20", "10s"), "", EXP("2")},
    {"MR-N50-c4-S1-", 1.1e5, 10, false, THINK("50", "10s"), "", EXP("4")},
    {"MR-N200-c1-S1-", 4.5e5, 10, false, THINK("200", "100s"), "", EXP1},
    {"CLOSED1-N32-", 5e5, 10, false, "'process':'closed','clients':32", "", EXP1},
    {"BATCH-closed", 40, 1, false, "'process':'closed','clients':32,'think':'98us'", "",
     "'instances':{'cpu':'31.3us'}"},
    {"TTL-P-h-0.2", 2.2e6, 10, false, POISSON("0.2"), "", L1("2s")},
    {"TTL-P-h-0.5", 9e5, 10, false, POISSON("0.5"), "", L1("2s")},
    {"TTL-P-h-1", 4.5e5, 10, false, POISSON("1"), "", L1("2s")},
    {"TTL-P-h-4", 1.1e5, 10, false, POISSON("4"), "", L1("2s")},
    {"TTL-P-h-20", 2.2e4, 10, false, POISSON("20"), "", L1("2s")},
    {"TTL-P-h-360", 2e3, 10, false, POISSON("360"), "", L1("2s")},
    {"TTL-P-load", 2.2e4, 10, false, POISSON("20"), "", L1("2s") "," LOAD("300ms")},
    {"TTL-P-hit-d", 2.2e4, 10, false, POISSON("20"), "", L1("2s") "," LOAD("300ms")},
    {"TTL-P-delayed-d", 2.2e4, 10, false, POISSON("20"), "", L1("2s") "," LOAD("300ms")},
    {"SF-WAIT-mean", 2.2e4, 10, false, POISSON("20"), "", L1("2s") "," LOAD("300ms")},
    {"TTL-D-h-0.7", 8.4e5, 1, false, "'rate':1.4285714285714286", "", L1("2s")},
    {"TTL-D-h-0.5", 6e5, 1, false, PACED("2"), "", L1("2s")},
    {"TTL-D-h-0.0025", 4e3, 1, false, PACED("400"), "", L1("2s")},
    /* Each key has instances of its own, and the busiest one is judged. */
    {"TTL-DT-h-0.9", 2e3, 10, false, PACED("400"), WEIGHTS("0.9,0.1"),
     L1("2s") ",'instances':{'count':64,'balancer':'hash'}"},
    {"TTL-DT-h-0.05", 2e3, 10, false, PACED("400"), UNIFORM("20"), L1("2s")},
    {"TTL-J-h", 9e5, 10, false, POISSON("0.5"), "", "'l1':{'ttl':'3s','jitter':'2s'}"},
    {"TTL-exp-h", 9e5, 10, false, POISSON("0.5"), "", "'l1':{'ttl':{'dist':'exponential','mean':'4s'}}"},
    {"S1-LOADS-L1x4", 400, 10, false, POISSON("1600"), WEIGHTS("0.9,0.05,0.05"), FOUR "," STATIONARY "," LOAD("1ms")},
    {"S1-LOADS-L1x1", 400, 10, false, POISSON("1600"), WEIGHTS("0.9,0.05,0.05"), STATIONARY "," LOAD("1ms")},
    {"S1-HIT-L1x4", 400, 10, false, POISSON("1600"), WEIGHTS("0.9,0.05,0.05"), FOUR "," STATIONARY "," LOAD("1ms")},
    {"S1-WS-h-100", 280, 10, false, POISSON("1600"), UNIFORM("100"), FOUR "," STATIONARY},
    {"S1-WS-loads180-100", 280, 10, false, POISSON("1600"), UNIFORM("100"), FOUR "," STATIONARY},
    {"S1-WS-h-300", 280, 10, false, POISSON("1600"), UNIFORM("300"), FOUR "," STATIONARY},
    {"S1-WS-loads180-300", 280, 10, false, POISSON("1600"), UNIFORM("300"), FOUR "," STATIONARY},
    {"S1-WS-h-800", 280, 10, false, POISSON("1600"), UNIFORM("800"), FOUR "," STATIONARY},
    {"S1-WS-loads180-800", 280, 10, false, POISSON("1600"), UNIFORM("800"), FOUR "," STATIONARY},
    {"S1-WS-knee", 280, 10, false, POISSON("1600"), UNIFORM("800"), FOUR "," STATIONARY},
    {"S1-WS-h-1088", 280, 10, false, POISSON("1600"), UNIFORM("1088"), FOUR "," STATIONARY},
    {"S1-WS-loads180-1088", 280, 10, false, POISSON("1600"), UNIFORM("1088"), FOUR "," STATIONARY},
    {"S1-WS-h-3000", 280, 20, false, POISSON("1600"), UNIFORM("3000"), FOUR "," STATIONARY},
    {"S1-WS-loads180-3000", 280, 20, false, POISSON("1600"), UNIFORM("3000"), FOUR "," STATIONARY},
    {"S1-WS-h-5000", 280, 10, false, POISSON("1600"), UNIFORM("5000"), FOUR "," STATIONARY},
    {"S1-WS-loads180-5000", 280, 10, false, POISSON("1600"), UNIFORM("5000"), FOUR "," STATIONARY},
    {"S1-HOT90-", 280, 10, false, POISSON("1600"), "'popularity':'hot_set','count':1089,'hot_keys':1,'hot_share':0.9",
     FOUR "," STATIONARY},
    {"S1-SPIKE-L1-200", 2200, 10, false, POISSON("200"), WEIGHTS("0.99,0.005,0.005"),
     FOUR "," STATIONARY "," LOAD("1ms")},
    {"S1-SPIKE-L1-4000", 110, 10, false, POISSON("4000"), WEIGHTS("0.99,0.005,0.005"),
     FOUR "," STATIONARY "," LOAD("1ms")},
    {"L2NC-rate", 600, 10, false, POISSON("1440"), "", "'l2':{'ttl':'3s'}," LOAD("1ms")},
    {"L2NC-rate-b", 4.5e4, 10, false, POISSON("10"), "", "'l2':{'ttl':'3s'}," LOAD("300ms")},
    {"L2NX-rate-b", 4.5e4, 10, false, POISSON("10"), "", "'l2':{'ttl':'3s','write':'if_absent'}," LOAD("300ms")},
    {"COLD-NC", 3, 400, true, POISSON("1600"), UNIFORM("3"), "'l2':{'ttl':null},'origin':{'cold_load':'1s'}"},
    {"COLD-NC-0.3", 2, 400, true, POISSON("1600"), UNIFORM("3"), "'l2':{'ttl':null},'origin':{'cold_load':'300ms'}"},
    /* The ratio does not depend on the TTL; a short one gives many refills. */
    {"SF-PER-INST", 300, 10, false, POISSON("1600"), "",
     FOUR ",'l2':{'ttl':'20ms','single_flight':'instance'}," LOAD("1ms")},
    {"SF-NONE", 300, 10, false, POISSON("1600"), "", FOUR ",'l2':{'ttl':'20ms'}," LOAD("1ms")},
    {"TANDEM1-cycle-0.5", 8e5, 10, false, POISSON("0.5"), "", TIERS("3s")},
    {"TANDEM1-cycle-1", 4.5e5, 10, false, POISSON("1"), "", TIERS("3s")},
    {"TANDEM1-cycle-20", 2.5e4, 10, false, POISSON("20"), "", TIERS("3s")},
    {"TANDEM1-cycle-400", 1e4, 2, false, POISSON("400"), "", TIERS("3s")},
    {"TANDEM1-cycle-T2=7", 4.5e5, 10, false, POISSON("1"), "", TIERS("7s")},
    /* Paced arrivals that the TTLs are multiples of: every interval is 4 s and no other. */
    {"TANDEM-SYNC", 4e4, 1, false, PACED("40"), "", "'instances':{'count':4,'balancer':'round_robin'}," TIERS("3s")},
    {"TANDEM4-indep-100", 400, 10, false, POISSON("1600"), UNIFORM("100"), TIERS4},
    {"TANDEM4-sim-100", 400, 10, false, POISSON("1600"), UNIFORM("100"), TIERS4},
    {"TANDEM4-indep-800", 400, 10, false, POISSON("1600"), UNIFORM("800"), TIERS4},
    {"TANDEM4-sim-800", 400, 10, false, POISSON("1600"), UNIFORM("800"), TIERS4},
    {"TANDEM4-payback-800", 400, 10, false, POISSON("1600"), UNIFORM("800"), TIERS4},
    {"TANDEM4-indep-1088", 400, 10, false, POISSON("1600"), UNIFORM("1088"), TIERS4},
    {"TANDEM4-sim-1088", 400, 10, false, POISSON("1600"), UNIFORM("1088"), TIERS4},
    {"TANDEM4-indep-5000", 400, 10, false, POISSON("1600"), UNIFORM("5000"), TIERS4},
    {"TANDEM4-sim-5000", 400, 10, false, POISSON("1600"), UNIFORM("5000"), TIERS4},
    {"CHE-1000-0.8-100", 450, 10, false, POISSON("1000"), ZIPF("1000", "0.8"), CAPACITY("100", "lru")},
    {"CHE-1000-1-100", 450, 10, false, POISSON("1000"), ZIPF("1000", "1"), CAPACITY("100", "lru")},
    {"CHE-10000-0.9-500", 450, 10, false, POISSON("1000"), ZIPF("10000", "0.9"), CAPACITY("500", "lru")},
    {"LRU-exact-Zipf1-N4-C2", 450, 10, false, POISSON("1000"), ZIPF("4", "1"), CAPACITY("2", "lru")},
    {"CHE-small-Zipf1-N4-C2", 450, 10, false, POISSON("1000"), ZIPF("4", "1"), CAPACITY("2", "lru")},
    {"FIFO-exact-Zipf1-N4-C2", 450, 10, false, POISSON("1000"), ZIPF("4", "1"), CAPACITY("2", "fifo")},
    {"LRU-exact-Zipf1-N5-C3", 450, 10, false, POISSON("1000"), ZIPF("5", "1"), CAPACITY("3", "lru")},
    {"CHE-small-Zipf1-N5-C3", 450, 10, false, POISSON("1000"), ZIPF("5", "1"), CAPACITY("3", "lru")},
    {"FIFO-exact-Zipf1-N5-C3", 450, 10, false, POISSON("1000"), ZIPF("5", "1"), CAPACITY("3", "fifo")},
    {"LRU-exact-w631-C1", 450, 10, false, POISSON("1000"), WEIGHTS("6,3,1"), CAPACITY("1", "lru")},
    {"CHE-small-w631-C1", 450, 10, false, POISSON("1000"), WEIGHTS("6,3,1"), CAPACITY("1", "lru")},
    {"FIFO-exact-w631-C1", 450, 10, false, POISSON("1000"), WEIGHTS("6,3,1"), CAPACITY("1", "fifo")},
    {"S1-OUTAGE-", 400, 10, false, POISSON("1600"), WEIGHTS("0.9,0.05,0.05"),
     FOUR "," STATIONARY ",'l2':{'ttl':'3s','timeout':'150ms'}," LOAD("1ms") ",'events':[{'at':'0s','do':'stop_l2'}]"},
    {"STALE1-mean-l", 4e4, 10, false, POISSON("0.5"), "", L1("2s") "," PUBLISHED("0.02")},
    {"STALE1-mean", 4e3, 10, false, POISSON("1000"), "", L1("2s") "," PUBLISHED("0.05")},
    {"STALE1-responses", 4e4, 10, false, POISSON("20"), "", L1("2s") "," PUBLISHED("0.02")},
    {"STALEN-", 50, 20, false, POISSON("16000"), UNIFORM("10"), FOUR "," STATIONARY "," PUBLISHED("0.1")},
    {"STALE2-sync-", 4e3, 10, false, PACED("400"), "",
     "'instances':{'count':4,'balancer':'round_robin'}," TIERS("3s") "," PUBLISHED("0.05")},
    {"XF-noearly", 2e5, 10, false, POISSON("10"), "", "'l1':{'ttl':'60s','xfetch':1}," LOAD("300ms")},
    {"XF-lead", 2e5, 10, false, POISSON("10"), "", "'l1':{'ttl':'60s','xfetch':1}," LOAD("300ms")},
    {"XF-lead-100", 1e5, 10, false, POISSON("100"), "", "'l1':{'ttl':'60s','xfetch':1}," LOAD("300ms")},
    /* Every read comes when what is left of the TTL is the time of a load, or after it. */
    {"XF-p1", 1e5, 10, false, PACED("1"), "", "'l1':{'ttl':'1s','xfetch':1}," LOAD("300ms")},
    {"RETRY-attempts", 2e3, 10, false, POISSON("200"), RETRIED("3"), "'origin':{'load':'1ms','failure_ratio':0.3}"},
    {"RETRY-success", 2e3, 10, false, POISSON("200"), RETRIED("3"), "'origin':{'load':'1ms','failure_ratio':0.3}"},
    /* A server with a short line, so that it is never idle and what it cannot do fails. */
    {"RETRY-", 2e3, 10, false, POISSON("110"), RETRIED("3") ",'backoff':'10s','factor':1,'jitter':1",
     "'origin':{'load':'10ms','cores':1,'queue_limit':20}"},
    {"CAS-CTMC-n2", 4e4, 10, false, WRITERS("2"), INCREMENTING, "'l2':{'ttl':null}"},
    {"CAS-CTMC-n2-X", 4e4, 10, false, WRITERS("2"), INCREMENTING, "'l2':{'ttl':null}"},
    {"CAS-CTMC-n5", 2e4, 10, false, WRITERS("5"), INCREMENTING, "'l2':{'ttl':null}"},
    {"CAS-CTMC-n5-X", 2e4, 10, false, WRITERS("5"), INCREMENTING, "'l2':{'ttl':null}"},
    {"CAS-CTMC-n20", 1e4, 10, false, WRITERS("20"), INCREMENTING, "'l2':{'ttl':null}"},
    {"CAS-CTMC-n20-X", 1e4, 10, false, WRITERS("20"), INCREMENTING, "'l2':{'ttl':null}"},
    /* All read before any writes, again and again: one comes off in each round. */
    {"CAS-lockstep", 30, 1, true, "'process':'closed','clients':20,'think':'1s','requests_per_client':1", LOCKSTEP,
     "'l2':{'ttl':null}"},
    /* A panel of points that lie close together. */
    {"PROM-ramp", 30, 1, true, PACED("5.8967657"), "", SCRAPED_OFTEN},
    {"PROM-burst", 30, 1, true, PACED("0.000001"), "",
     SCRAPED_OFTEN ",'events':[{'at':'1s','do':'set_rate','rate':20500000,'for':'100us'}]"},
    /* Arrivals that pile up before a pool while its connections do not come back. */
    {"POOL-stall", 0.8675, 1, true, PACED("400"), "", "'origin':{'load':'10s','pool':10}"},
    {"POOL-stall-cluster", 0.235625, 1, true, PACED("1600"), "",
     "'instances':{'count':4},'origin':{'load':'10s','pool':10}"},
};
#define CASES (sizeof cases / sizeof *cases)

/* Approximations and reference simulations: how far they themselves may be from the truth. */
static const struct {
    const char *prefix;
    double error;
} approximations[] = {
    {"MVA3-N8-Q1", 0.04}, /* the store answers what it read together when all of it is done, so less waits elsewhere */
    {"MVA3-", 0.01},
    {"TANDEM1-cycle-400", 4.3e-4},    /* a cycle hardly varies: the window cuts one load of 2372 */
    {"TANDEM4-indep-100", 0.02},      /* phases persist at a high rate */
    {"TANDEM4-indep-", 0.004},        /* independence of the instances */
    {"TANDEM4-", 0.0015},             /* the simulation's confidence interval */
    {"CHE-small-Zipf1-N4-C2", 0.012}, /* Che's bias at few keys: against the exact 0.60385 */
    {"CHE-small-Zipf1-N5-C3", 0.001}, /* 0.71559 */
    {"CHE-small-w631-C1", 0.047},     /* 0.46 */
    {"STALE2-sync-max", 0.02},        /* the latest of some 200 publications of a run */
    {"STALE", 0.005},                 /* the last stale answer comes a little before the expiry */
    {"PROM-", 0.01},                  /* a fluid; arrivals and scrapes are grains */
    {"RETRY-", 0.005},                /* a fluid limit; exact for the others */
    {"CHE-", 0.001},                  /* Che's approximation at many keys */
};

static const struct {
    const char *prefix, *reason;
} not_expressible[] = {
    {"MM1-Pn10", "no metric: the distribution of the number in the system is not kept"},
    {"MVA3-Nstar", "a population computed from the demands, not one that a run has"},
    {"STALE2-bound", "a supremum: a run shows that nothing lies above, as the published propagation does"},
    {"CHE-tc-", "no metric: the time that an entry stays"},
    {"RETRY-layers", "clients and L2 retry, three layers upon one another do not"},
    {"CAS-W-", "a heuristic, wrong by up to a half"},
    {"GATED-", "a link that cycles when there is nothing to do: the I/O thread sleeps then"},
    {"USL-", "an empirical law: no scenario key stands for it"},
};

/* What the quantities of the rows are called in a report, or the formula that gives them. */
enum formula {
    METRIC, /* the metric times `factor` */
    WAITING,
    EMPTY,
    DELAYED,
    WAIT_AT_MOST_2,
    SPREAD,
    BUSIEST_HITS,
    UNLOADED,
    KNEE,
    INTERVAL,
    PAYBACK,
    STALL,
    BLOCKED,
    BLOCKED_P99,
    STALE_EACH,
    NOT_EARLY,
    LEAD,
    EARLY_AT_ONCE,
    SUCCESS,
};

static const struct {
    const char *id, *quantity; /* prefixes; the first line that fits holds */
    const char *metric;
    double factor;
    enum formula formula;
    bool blurred;
} quantities[] = {
    {"TTL-DT-h-0.9", "hit ratio", NULL, 1, BUSIEST_HITS, false},
    {"S1-OUTAGE-", "p99", NULL, 1, BLOCKED_P99, true},
    {"", "fraction of requests waiting in the loader", NULL, 1, BLOCKED, false},
    {"PROM-", "", "observed.loads", 1, METRIC, false},
    {"CAS-CTMC-", "retries per success", "increments.retries_each", 1, METRIC, false},
    {"CAS-CTMC-", "successes", "increments.per_s", 1, METRIC, false},
    {"CAS-lockstep", "total retries", "increments.retries", 1, METRIC, false},
    {"", "mean time to refresh after a change", "freshness.propagation_mean_s", 1, METRIC, false},
    {"", "mean time from change to first fresh response", "freshness.first_answer_mean_s", 1, METRIC, false},
    {"", "expected stale responses", NULL, 1, STALE_EACH, false},
    {"", "mean time until all instances fresh", "freshness.propagation_mean_s", 1, METRIC, false},
    {"", "p95 time until all instances fresh", "freshness.propagation_p95_s", 1, METRIC, true},
    {"", "max time until all instances fresh", "freshness.propagation_max_s", 1, METRIC, false},
    {"", "P(no early", NULL, 1, NOT_EARLY, false},
    {"", "mean lead", NULL, 1, LEAD, false},
    {"", "per-request early", NULL, 1, EARLY_AT_ONCE, false},
    {"", "mean attempts", "attempts_per_request", 1, METRIC, false},
    {"", "offered attempts", "attempts_per_request", 1.1, METRIC, false},
    {"", "success probability", NULL, 1, SUCCESS, false},
    {"", "request success ratio", NULL, 1, SUCCESS, false},
    {"MVA3-", "throughput", "throughput_per_s", 1e-3, METRIC, false},
    {"MVA3-", "mean response", "latency.mean_ms", 1, METRIC, false},
    {"MVA3-", "mean number at bottleneck", "origin.in_system", 1, METRIC, false},
    {"", "utilisation", "cpu.utilization", 1, METRIC, false},
    {"", "mean number in system", "cpu.in_system", 1, METRIC, false},
    {"", "mean number at station", "cpu.in_system", 1, METRIC, false},
    {"", "mean number waiting", NULL, 1, WAITING, false},
    {"", "mean sojourn", "latency.mean_ms", 1e-3, METRIC, false},
    {"", "mean response", "latency.mean_ms", 1e-3, METRIC, false},
    {"", "mean wait", "cpu.wait_mean_ms", 1e-3, METRIC, false},
    {"", "mean added latency", "latency.mean_ms", 1e-3, METRIC, false},
    {"", "P(empty)", NULL, 1, EMPTY, false},
    {"", "P(wait>0)", NULL, 1, DELAYED, false},
    {"", "sigma", NULL, 1, DELAYED, false},
    {"", "P(wait<=2)", NULL, 1, WAIT_AT_MOST_2, false},
    {"", "sojourn quantile p=0.5", "latency.p50_ms", 1e-3, METRIC, true},
    {"", "sojourn quantile p=0.95", "latency.p95_ms", 1e-3, METRIC, true},
    {"", "sojourn quantile p=0.999", "latency.p999_ms", 1e-3, METRIC, true},
    {"", "sojourn quantile p=0.99", "latency.p99_ms", 1e-3, METRIC, true},
    {"", "sojourn quantile p=0.9", "latency.p90_ms", 1e-3, METRIC, true},
    {"", "wait quantile p=0.5", "cpu.wait_p50_ms", 1e-3, METRIC, true},
    {"", "wait quantile p=0.95", "cpu.wait_p95_ms", 1e-3, METRIC, true},
    {"", "wait quantile p=0.99", "cpu.wait_p99_ms", 1e-3, METRIC, true},
    {"", "wait quantile p=0.9", "cpu.wait_p90_ms", 1e-3, METRIC, true},
    {"", "p95/p50", NULL, 1, SPREAD, true},
    {"", "blocking probability", "dropped_ratio", 1, METRIC, false},
    {"", "throughput", "throughput_per_s", 1, METRIC, false},
    {"", "hit ratio", "l1.hit_ratio", 1, METRIC, false},
    {"", "immediate hit ratio", "l1.hit_ratio", 1, METRIC, false},
    {"", "L1 hit ratio", "l1.hit_ratio", 1, METRIC, false},
    {"", "coalesced", "outcome.joined_ratio", 1, METRIC, false},
    {"", "loads per second", "origin.loads_per_s", 1, METRIC, false},
    {"", "loads per L2 expiry", "l2.loads_per_refill", 1, METRIC, false},
    {"", "loads per expiry", "l2.loads_per_refill", 1, METRIC, false},
    {"", "loads", "origin.loads_per_s", 180, METRIC, false}, /* in a stationary window of 180 s */
    {"", "1-loads/requests", NULL, 1, UNLOADED, false},
    {"", "N at hit ratio 0.5", NULL, 1, KNEE, false},
    {"", "expected loads", "origin.cold_loads", 1, METRIC, false},
    {"", "mean interval between L2 loads", NULL, 1, INTERVAL, false},
    {"", "interval between L2 loads", NULL, 1, INTERVAL, false},
    {"", "L1 misses per L2 load", NULL, 1, PAYBACK, false},
    {"", "stall seconds", NULL, 1, STALL, false},
};

static double metric(const cc_run *run, const char *name)
{
    size_t index = cc_metric_find(name);
    if (index == SIZE_MAX)
        fail_msg("no metric %s", name);
    return cc_run_metric(run, index, NULL);
}

static double value_of(const cc_run *run, size_t quantity)
{
    const struct cc_scenario *scenario = run->scenario;
    const struct measure *total = run->total;
    const struct cc_histogram *wait = &total->wait[STATION_CPU];
    double nanoseconds = (double)(total->to - total->from), result = 0;
    switch (quantities[quantity].formula) {
    case METRIC:
        result = metric(run, quantities[quantity].metric);
        break;
    case WAITING:
        result = ((double)total->in_system[STATION_CPU] - (double)total->busy[STATION_CPU]) / nanoseconds;
        break;
    case EMPTY: /* of one server */
        result = 1 - metric(run, "cpu.utilization");
        break;
    case DELAYED:
        result = 1 - (double)wait->buckets[0] / (double)wait->count;
        break;
    case WAIT_AT_MOST_2:
        result = cc_histogram_at_most(wait, 2 * CC_SECOND) / (double)wait->count;
        break;
    case SPREAD:
        result = metric(run, "latency.p95_ms") / metric(run, "latency.p50_ms");
        break;
    case BUSIEST_HITS: {
        const struct instance_counts *busiest = total->instances;
        for (uint32_t i = 1; i < run->instance_count; i++)
            if (total->instances[i].requests > busiest->requests)
                busiest = &total->instances[i];
        double share = (double)busiest->requests / metric(run, "requests");
        assert_true(share > 0.89 && share < 0.91); /* the key's alone */
        result = (double)busiest->l1_hits / (double)busiest->requests;
        break;
    }
    case BLOCKED:
        result = metric(run, "outcome.joined_ratio");
        break;
    case BLOCKED_P99: { /* the formula leaves out those who load */
        const struct cc_histogram *joined = &total->latency[OUTCOME_JOINED];
        uint64_t above = (uint64_t)(metric(run, "requests") / 100);
        result = (double)cc_histogram_quantile(joined, joined->count - above, joined->count) / 1e6;
        break;
    }
    case STALE_EACH:
        result = metric(run, "freshness.stale_answers") / metric(run, "freshness.publications");
        break;
    case NOT_EARLY:
        result = 1 - metric(run, "origin.early_loads") / metric(run, "origin.loads");
        break;
    case LEAD: { /* a cycle is load + TTL, less the lead, plus the wait for a request where none came early */
        double loads = metric(run, "origin.loads"), late = 1 - metric(run, "origin.early_loads") / loads;
        double longest = cc_seconds(scenario->l1.ttl.value + scenario->origin.load.value);
        result = longest + late / scenario->arrivals.rate - metric(run, "elapsed_s") / loads;
        break;
    }
    case EARLY_AT_ONCE:
        result = metric(run, "origin.early_loads") / (metric(run, "origin.early_loads") + metric(run, "l1.hits"));
        break;
    case SUCCESS:
        result = 1 - metric(run, "errors_ratio");
        break;
    case UNLOADED:
        result = 1 - metric(run, "origin.loads_per_request");
        break;
    case KNEE: { /* h = a / (a + 1) with a = R T / (n N), so that N a is the knee whatever N is */
        double h = metric(run, "l1.hit_ratio");
        result = scenario->keys.count * h / (1 - h);
        break;
    }
    case INTERVAL: /* of each key */
        result = scenario->keys.count * metric(run, "elapsed_s") / metric(run, "origin.loads");
        break;
    case PAYBACK:
        result = metric(run, "l1.misses") / metric(run, "origin.loads");
        break;
    case STALL:
        result = (metric(run, "pool.waiting_max") + scenario->origin.pool * scenario->instances.count) /
                 scenario->arrivals.rate;
        break;
    }
    return result * quantities[quantity].factor;
}

struct row {
    char id[64], quantity[128];
    double oracle;
    size_t with, what; /* its case and quantity, SIZE_MAX where it has none */
    double sum, squares;
};

static bool begins(const char *text, const char *prefix) { return strncmp(text, prefix, strlen(prefix)) == 0; }

/* The next field of a line of CSV; *line moves behind it. */
static void next_field(const char **line, char *field, size_t size)
{
    const char *at = *line;
    bool quoted = *at == '"';
    size_t length = 0;
    for (at += quoted; *at && *at != '\n' && (quoted ? *at != '"' : *at != ','); at++)
        if (length + 1 < size)
            field[length++] = *at;
    field[length] = 0;
    at += quoted && *at == '"';
    at += *at == ',';
    *line = at;
}

/* The case whose prefix fits best: a whole id, else the longest one that ends in "-". */
static size_t find_case(const char *id)
{
    size_t best = SIZE_MAX, longest = 0;
    for (size_t i = 0; i < CASES; i++) {
        size_t length = strlen(cases[i].prefix);
        bool whole = strcmp(cases[i].prefix, id) == 0;
        bool part = cases[i].prefix[length - 1] == '-' && begins(id, cases[i].prefix);
        if ((whole || part) && length > longest) {
            best = i;
            longest = length;
        }
    }
    return best;
}

static const char *find_excuse(const char *id)
{
    for (size_t i = 0; i < sizeof not_expressible / sizeof *not_expressible; i++)
        if (begins(id, not_expressible[i].prefix))
            return not_expressible[i].reason;
    return NULL;
}

static size_t find_quantity(const struct row *row)
{
    for (size_t i = 0; i < sizeof quantities / sizeof *quantities; i++)
        if (begins(row->id, quantities[i].id) && begins(row->quantity, quantities[i].quantity))
            return i;
    return SIZE_MAX;
}

#define ROWS_MAX 512
static struct row rows[ROWS_MAX];
static size_t row_count;

static int read_rows(void **state)
{
    (void)state;
    FILE *file = fopen(CC_SOURCE_DIR "/tests/theory/oracles.csv", "rb");
    char text[512], value[64], inputs[256];
    if (!file || !fgets(text, sizeof text, file))
        return -1;
    while (row_count < ROWS_MAX && fgets(text, sizeof text, file)) {
        struct row *row = &rows[row_count++];
        const char *line = text;
        next_field(&line, row->id, sizeof row->id);
        next_field(&line, inputs, sizeof inputs);
        next_field(&line, row->quantity, sizeof row->quantity);
        next_field(&line, value, sizeof value);
        row->oracle = strtod(value, NULL);
        row->with = find_case(row->id);
        row->what = find_quantity(row);
    }
    return fclose(file);
}

static struct cc_scenario *parse_case(const struct test_case *test)
{
    char text[TEXT];
    int length = snprintf(text, sizeof text,
                          "{'name':'oracle','duration':'%.6fs','warmup':'%.6fs','workload':{'arrivals':{%s},"
                          "'keys':{%s}},%s}",
                          test->duration, test->cold ? 0 : test->duration / 20, test->arrivals, test->keys, test->rest);
    assert_true(length > 0 && length < TEXT);
    for (char *at = text; *at; at++)
        if (*at == '\'')
            *at = '"';
    cc_error error;
    struct cc_scenario *scenario = cc_scenario_parse(text, (size_t)length, NULL, &error);
    if (!scenario)
        fail_msg("%s: %s in %s", test->prefix, error.message, text);
    return scenario;
}

static bool same_scenario(const struct test_case *a, const struct test_case *b)
{
    return a->duration == b->duration && a->replications == b->replications && a->cold == b->cold &&
           strcmp(a->arrivals, b->arrivals) == 0 && strcmp(a->keys, b->keys) == 0 && strcmp(a->rest, b->rest) == 0;
}

/* Runs a scenario once for the rows of all cases that share it. */
static void run_case(size_t c)
{
    for (size_t i = 0; i < c; i++)
        if (same_scenario(&cases[i], &cases[c]))
            return;
    struct cc_scenario *scenario = parse_case(&cases[c]);
    cc_error error;
    for (int r = 0; r < cases[c].replications; r++) {
        cc_run *run = cc_run_new(scenario, (uint64_t)r, &error);
        assert_non_null(run);
        cc_status status = cc_run_advance(run, UINT64_MAX, &error);
        if (status != CC_OK)
            fail_msg("%s: %s", cases[c].prefix, error.message);
        for (size_t i = 0; i < row_count; i++) {
            struct row *row = &rows[i];
            if (row->with == SIZE_MAX || row->what == SIZE_MAX || !same_scenario(&cases[row->with], &cases[c]))
                continue;
            double difference = value_of(run, row->what) - row->oracle; /* sums of small numbers keep their digits */
            row->sum += difference;
            row->squares += difference * difference;
        }
        cc_run_free(run);
    }
    cc_scenario_free(scenario);
}

static double slack(const struct row *row)
{
    double slack = quantities[row->what].blurred ? BLUR : EDGES;
    for (size_t i = 0; i < sizeof approximations / sizeof *approximations; i++)
        if (begins(row->id, approximations[i].prefix))
            return fmax(slack, approximations[i].error) * fabs(row->oracle);
    return slack * fabs(row->oracle);
}

static bool verbose;

/* Whether a row comes out; prints it when it does not, or when `verbose`. */
static bool judge(const struct row *row)
{
    int n = cases[row->with].replications;
    double mean = row->sum / n;
    double error = n > 1 ? sqrt(fmax(row->squares - row->sum * mean, 0) / (n - 1) / n) : 0;
    bool fits = fabs(mean) <= fmax(4 * error, slack(row));
    if (!fits || verbose)
        print_message("%-24s %-50.50s oracle %-14.10g measured %-14.10g %+8.4f %% %6.2f standard errors%s\n", row->id,
                      row->quantity, row->oracle, row->oracle + mean, 100 * mean / row->oracle,
                      error > 0 ? mean / error : 0, fits ? "" : "  WRONG");
    return fits;
}

static void every_row_is_judged_or_excused(void **state)
{
    (void)state;
    size_t judged = 0, lost = 0;
    for (size_t i = 0; i < row_count; i++) {
        bool has_case = rows[i].with != SIZE_MAX && rows[i].what != SIZE_MAX;
        bool excused = find_excuse(rows[i].id) != NULL;
        if (excused)
            rows[i].with = SIZE_MAX;
        judged += has_case && !excused;
        if (!has_case && !excused)
            print_message("%s (%s) is neither tested nor excused\n", rows[i].id, rows[i].quantity);
        lost += !has_case && !excused;
    }
    print_message("%zu of %zu rows are judged\n", judged, row_count);
    assert_true(row_count > 200 && row_count < ROWS_MAX);
    assert_int_equal(lost, 0);
    for (size_t c = 0; c < CASES; c++) {
        size_t users = 0;
        for (size_t i = 0; i < row_count; i++)
            users += rows[i].with == c;
        if (users == 0)
            fail_msg("no row asks for the case %s", cases[c].prefix);
    }
}

static void rows_come_out(void **state)
{
    (void)state;
    size_t wrong = 0;
    for (size_t c = 0; c < CASES; c++)
        run_case(c);
    for (size_t i = 0; i < row_count; i++)
        if (rows[i].with != SIZE_MAX && rows[i].what != SIZE_MAX)
            wrong += !judge(&rows[i]);
    assert_int_equal(wrong, 0);
}

/* now < expire: an arrival exactly at the end of a TTL misses, one a nanosecond before it hits. */
static void expiry_is_exclusive(void **state)
{
    (void)state;
    static const struct {
        const char *l1;
        double hits; /* for each load */
    } ttls[] = {{L1("1999999999ns"), 3}, {L1("2s"), 3}, {L1("2000000001ns"), 4}};
    for (size_t i = 0; i < sizeof ttls / sizeof *ttls; i++) {
        struct test_case test = {"expiry", 1e4, 1, true, PACED("2"), "", ttls[i].l1};
        struct cc_scenario *scenario = parse_case(&test);
        cc_error error;
        cc_run *run = cc_run_new(scenario, 0, &error);
        assert_non_null(run);
        assert_int_equal(cc_run_advance(run, UINT64_MAX, &error), CC_OK);
        assert_true(metric(run, "l1.hits") == ttls[i].hits * metric(run, "l1.misses"));
        cc_run_free(run);
        cc_scenario_free(scenario);
    }
}

int main(int argc, char **argv)
{
    (void)argv;
    verbose = argc > 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_judged_or_excused),
        cmocka_unit_test(rows_come_out),
        cmocka_unit_test(expiry_is_exclusive),
    };
    return cmocka_run_group_tests(tests, read_rows, NULL);
}
