package io.cordwood.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Benchmarks that are not run rot: here each runs for a moment, in this process. */
class BenchmarksTest {
  @Test
  void everyBenchmarkRuns() throws RunnerException {
    var options =
        new OptionsBuilder()
            .forks(0)
            .warmupIterations(0)
            .measurementIterations(1)
            .param("pattern", "L ERROR", "R (WARN|ERROR).*9ms")
            .param("streams", "2")
            .param("batchBytes", "65536")
            .param("waiters", "8")
            .param("kind", "RECYCLED")
            .measurementTime(TimeValue.milliseconds(1))
            .shouldFailOnError(true)
            .verbosity(VerboseMode.SILENT)
            .build();
    Collection<RunResult> results = new Runner(options).run();
    assertThat(
            results.stream()
                .map(result ->
                    result.getParams().getBenchmark().replaceAll("^.*\\.(\\w+)\\.", "$1."))
                .collect(Collectors.toSet()))
        .contains(
            "BatchAppendBenchmark.batches",
            "CaptureBenchmark.find",
            "FieldScanBenchmark.search",
            "FilterBuildBenchmark.build",
            "ForcedWriteBenchmark.writeAndForce",
            "GroupCommitBenchmark.commit",
            "ScanKernelBenchmark.vectors",
            "SharedFileBenchmark.own",
            "UlidStampBenchmark.stampBatch");
  }
}
