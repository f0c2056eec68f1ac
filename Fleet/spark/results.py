"""Results as Spark has them: a row for each log, in Parquet, partitioned by verdict."""

from pyspark.sql import Window, functions
from pyspark.sql.types import DoubleType, LongType, StringType, StructField, StructType

from partition_replay import NUMBERS, STRINGS

SCHEMA = StructType(
    [StructField("verdict", StringType())] + [StructField(name, StringType()) for name in STRINGS]
    + [StructField(name, LongType()) for name in NUMBERS] + [StructField("seconds", DoubleType())])

# Exit statuses, as the tool has them.
NO_INPUT, HOST_FAILED, CANNOT_CREATE = 66, 69, 73


class JobError(Exception):
    """What keeps a job from its result, with the status to end with."""

    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


def file_system(spark, path):
    """A path as Hadoop has it, and the file system on which it is."""
    path = spark.sparkContext._jvm.org.apache.hadoop.fs.Path(path)
    return path, path.getFileSystem(spark.sparkContext._jsc.hadoopConfiguration())


def has_results(spark, folder):
    """Whether a folder has anything but what an interrupted job leaves in `_temporary`."""
    path, system = file_system(spark, folder)
    return system.exists(path) and any(
        not status.getPath().getName().startswith("_") for status in system.listStatus(path))


def append(spark, rows, folder):
    """Appends an RDD of rows. What a task has finished stays, whatever becomes of the others.

    Hadoop's second committer moves the files of a task to their place when the task is done, and not when all are. A task that ends
    between two files leaves one that its second try writes again: `read` takes each log once.
    """
    frame = spark.createDataFrame(rows, SCHEMA, verifySchema=False)
    (frame.write.mode("append").partitionBy("verdict")
     .option("mapreduce.fileoutputcommitter.algorithm.version", "2").parquet(folder))


def read(spark, folder):
    """The results, one row for each log and content: the latest, by the rule of `summarize`."""
    latest = Window.partitionBy("log", "digest").orderBy(functions.desc("finishedAt"), functions.asc("line"))
    rows = spark.read.schema(SCHEMA).parquet(folder)
    return rows.withColumn("rank", functions.row_number().over(latest)).where("rank = 1").drop("rank")


def of_setting(rows, setting):
    """The results of a host with these options."""
    host, options = setting
    return rows.where((functions.col("host") == host) & (functions.col("options") == options))


def finished(rows):
    """The files all of whose logs have results: name, length, and when the first of them was replayed."""
    return (rows.groupBy("file", "bytes")
            .agg(functions.max("logs").alias("logs"), functions.countDistinct("log").alias("found"),
                 functions.to_timestamp(functions.min("finishedAt")).alias("since"))
            .where("found = logs").select("file", "bytes", "since"))
